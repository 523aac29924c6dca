package io.hyperverbs.vmm.capture;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A record of a capture: 56 bytes, then what was captured, padded to a multiple of 8; little-endian.
 * Written by a device domain, read by the toolstack.
 * <pre>
 *  byte   +0               +4
 *    0  | recordBytes    | kind           |  with this header and padding; PACKET, VERB, or PADDING
 *    8  | timeNanos                       |  CLOCK_MONOTONIC of the computer
 *   16  | port           | fate           |  packets alone from here on; PacketFate.code()
 *   24  | sourceAddress  | destination    |  IPv4, first byte in the highest bits
 *   32  | sourcePort     | identification |  of UDP; of the IPv4 header, -1 if it is not known
 *   40  | trafficClass   | lengthBytes    |  lengthBytes: of the whole packet
 *   48  | capturedBytes  | 0              |  how many follow
 *   56  | bytes                           |  the packet, BTH first; or a line of UTF-8
 * </pre>
 * Published with the ring that it is in. A record of padding has no more than its first 8 bytes.
 */
public final class CaptureRecordLayout {
    public static final int SIZE_BYTES = 56;

    /** Bytes that records begin at multiples of. */
    public static final int ALIGNMENT = 8;

    public static final int PADDING = 0;

    /** A packet of RoCEv2. */
    public static final int PACKET = 1;

    /** A privileged verb, in words. */
    public static final int VERB = 2;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);
    private static final ValueLayout.OfInt UNALIGNED = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private CaptureRecordLayout() {}

    /** A field of four bytes. */
    public enum Field {
        RECORD_BYTES(0),
        KIND(4),
        PORT(16),
        FATE(20),
        SOURCE_ADDRESS(24),
        DESTINATION_ADDRESS(28),
        SOURCE_PORT(32),
        IDENTIFICATION(36),
        TRAFFIC_CLASS(40),
        LENGTH_BYTES(44),
        CAPTURED_BYTES(48);

        private final long offset;

        Field(long offset) {
            this.offset = offset;
        }
    }

    /** Bytes of a record with so many captured ones. */
    public static int recordBytes(int capturedBytes) {
        return (SIZE_BYTES + capturedBytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    public static int get(MemorySegment memory, long record, Field field) {
        return memory.get(UNALIGNED, record + field.offset);
    }

    public static void set(MemorySegment memory, long record, Field field, int value) {
        memory.set(INT, record + field.offset, value);
    }

    public static long timeNanos(MemorySegment memory, long record) {
        return memory.get(LONG, record + 8);
    }

    public static void timeNanos(MemorySegment memory, long record, long nanos) {
        memory.set(LONG, record + 8, nanos);
    }
}
