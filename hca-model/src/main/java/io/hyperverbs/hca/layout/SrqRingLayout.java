package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.ORDERED_INT;

import java.lang.foreign.MemorySegment;

/**
 * The head of a shared receive queue's ring memory: 128 bytes, 64-byte aligned, little-endian; the
 * entries follow as {@link SrqGeometry} says.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | producerIndex |               |  guest: receives posted so far, wraps at 2^32
 *   64  | headIndex     |               |  HCA: receives taken so far, wraps at 2^32
 *  128  | entry 0 ...                   |  guest: ReceiveWqeLayout
 * </pre>
 *
 * Publishing: the guest stores the producer index with release after the entries. The HCA copies an
 * entry once, when a message needs it, and stores the head index after that, with release: what it
 * took lies in its own memory, so the slot is free however late, and on whichever completion queue,
 * the receive completes. The HCA never reads its head index back. No doorbell.
 */
public final class SrqRingLayout {
    public static final long ENTRIES_OFFSET = 128;
    static final long PRODUCER_INDEX_OFFSET = 0;
    static final long HEAD_INDEX_OFFSET = 64;

    private SrqRingLayout() {}

    public static void producerIndexRelease(MemorySegment memory, long ring, int index) {
        ORDERED_INT.setRelease(memory, ring + PRODUCER_INDEX_OFFSET, index);
    }

    public static int producerIndexAcquire(MemorySegment memory, long ring) {
        return (int) ORDERED_INT.getAcquire(memory, ring + PRODUCER_INDEX_OFFSET);
    }

    public static void headIndexRelease(MemorySegment memory, long ring, int index) {
        ORDERED_INT.setRelease(memory, ring + HEAD_INDEX_OFFSET, index);
    }

    public static int headIndexAcquire(MemorySegment memory, long ring) {
        return (int) ORDERED_INT.getAcquire(memory, ring + HEAD_INDEX_OFFSET);
    }
}
