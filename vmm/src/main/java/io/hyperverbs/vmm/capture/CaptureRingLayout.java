package io.hyperverbs.vmm.capture;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A ring of bytes: one page of positions, then a power of two of bytes, little-endian.
 * Written by one device domain, read by the VMM; nobody else maps it.
 * <pre>
 *  byte   +0
 *    0  | magic, version  |  the VMM, once
 *   64  | written         |  the device domain: bytes ever written, padding among them
 *   72  | dropped         |  the device domain: records that found no room
 *  128  | read            |  the VMM: bytes ever read
 * 4096  | bytes           |  byte n of all lies at n modulo their number
 * </pre>
 * Publishing: {@code written} is stored last, with release, after the bytes; {@code read} with release, after they were
 * copied. Records ({@link CaptureRecordLayout}) do not wrap: what is left at the end is one of padding.
 */
final class CaptureRingLayout {
    static final long HEADER_BYTES = 4096;

    private static final long MAGIC = 0x6876_6361_7000_0001L;
    private static final long WRITTEN_OFFSET = 64;
    private static final long DROPPED_OFFSET = 72;
    private static final long READ_OFFSET = 128;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);
    private static final VarHandle ORDERED = LONG.varHandle().withInvokeExactBehavior();

    private CaptureRingLayout() {}

    /** Of zeroed memory. */
    static void format(MemorySegment ring) {
        ring.set(LONG, 0, MAGIC);
    }

    static boolean isFormatted(MemorySegment ring) {
        return ring.get(LONG, 0) == MAGIC;
    }

    /** Bytes that the ring holds. */
    static long capacity(MemorySegment ring) {
        long bytes = ring.byteSize() - HEADER_BYTES;
        if (bytes <= 0 || Long.bitCount(bytes) != 1) {
            throw new IllegalArgumentException("a ring of " + bytes + " bytes, must be a power of two");
        }
        return bytes;
    }

    static long writtenAcquire(MemorySegment ring) {
        return (long) ORDERED.getAcquire(ring, WRITTEN_OFFSET);
    }

    static void publishWrittenRelease(MemorySegment ring, long written) {
        ORDERED.setRelease(ring, WRITTEN_OFFSET, written);
    }

    static long readAcquire(MemorySegment ring) {
        return (long) ORDERED.getAcquire(ring, READ_OFFSET);
    }

    static void publishReadRelease(MemorySegment ring, long read) {
        ORDERED.setRelease(ring, READ_OFFSET, read);
    }

    static long droppedAcquire(MemorySegment ring) {
        return (long) ORDERED.getAcquire(ring, DROPPED_OFFSET);
    }

    static void countDropped(MemorySegment ring) {
        ORDERED.setRelease(ring, DROPPED_OFFSET, ring.get(LONG, DROPPED_OFFSET) + 1);
    }
}
