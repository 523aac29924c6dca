package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.LONG;

import java.lang.foreign.MemorySegment;

/**
 * One receive work queue entry: {@link QueueGeometry#receiveStrideBytes()} bytes, 32-byte aligned,
 * little-endian. Written by the guest only; the HCA copies the entry once and looks at its copy
 * alone.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | wrId                          |
 *    8  | segmentCount  | 0             |
 *   16  | address                       |  segment 0
 *   24  | lengthBytes   | lkey          |
 *  ...  | segment 1 ...                 |
 * </pre>
 *
 * Publishing: the producer index of {@link QueueGeometry#RECEIVE_PRODUCER_OFFSET} is stored with
 * release after the entry. No doorbell: the HCA looks at the index when a message needs a receive.
 * In ERR no message does: there the HCA looks at once when the queue pair's slot is rung, else
 * after 1 ms, doubling to 1 s; a driver that has seen the queue pair fail rings.
 */
public final class ReceiveWqeLayout {
    public static final long SGES_OFFSET = 16;
    static final long WR_ID_OFFSET = 0;
    static final long SEGMENT_COUNT_OFFSET = 8;

    private ReceiveWqeLayout() {}

    public static void writeHead(MemorySegment ring, long wqe, long wrId) {
        ring.set(LONG, wqe + WR_ID_OFFSET, wrId);
        ring.set(LONG, wqe + SEGMENT_COUNT_OFFSET, 0L);
    }

    public static void writeSegmentCount(MemorySegment ring, long wqe, int count) {
        ring.set(INT, wqe + SEGMENT_COUNT_OFFSET, count);
    }

    public static void writeSegment(
            MemorySegment ring, long wqe, int segment, long address, int lengthBytes, int lkey) {
        long sge = wqe + SGES_OFFSET + (long) segment * SendWqeLayout.SGE_BYTES;
        ring.set(LONG, sge, address);
        ring.set(INT, sge + 8, lengthBytes);
        ring.set(INT, sge + 12, lkey);
    }

    public static long wrId(MemorySegment copy, long wqe) {
        return copy.get(LONG, wqe + WR_ID_OFFSET);
    }

    /** As the guest wrote it: any value. */
    public static int segmentCount(MemorySegment copy, long wqe) {
        return copy.get(INT, wqe + SEGMENT_COUNT_OFFSET);
    }

    public static long segmentAddress(MemorySegment copy, long wqe, int segment) {
        return copy.get(LONG, wqe + SGES_OFFSET + (long) segment * SendWqeLayout.SGE_BYTES);
    }

    public static int segmentLengthBytes(MemorySegment copy, long wqe, int segment) {
        return copy.get(INT, wqe + SGES_OFFSET + (long) segment * SendWqeLayout.SGE_BYTES + 8);
    }

    public static int segmentLkey(MemorySegment copy, long wqe, int segment) {
        return copy.get(INT, wqe + SGES_OFFSET + (long) segment * SendWqeLayout.SGE_BYTES + 12);
    }
}
