package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.ORDERED_INT;

import java.lang.foreign.MemorySegment;

/**
 * The two producer index words at the head of a queue pair's ring memory ({@link QueueGeometry}).
 * Written by the guest with release after the entries; read by the HCA with acquire and accepted
 * only within the ring's size.
 */
public final class QueueIndexes {
    private QueueIndexes() {}

    public static void sendProducerRelease(MemorySegment memory, long rings, int index) {
        ORDERED_INT.setRelease(memory, rings + QueueGeometry.SEND_PRODUCER_OFFSET, index);
    }

    public static int sendProducerAcquire(MemorySegment memory, long rings) {
        return (int) ORDERED_INT.getAcquire(memory, rings + QueueGeometry.SEND_PRODUCER_OFFSET);
    }

    public static void receiveProducerRelease(MemorySegment memory, long rings, int index) {
        ORDERED_INT.setRelease(memory, rings + QueueGeometry.RECEIVE_PRODUCER_OFFSET, index);
    }

    public static int receiveProducerAcquire(MemorySegment memory, long rings) {
        return (int) ORDERED_INT.getAcquire(memory, rings + QueueGeometry.RECEIVE_PRODUCER_OFFSET);
    }

    /**
     * Entries between a peer's index and one's own, or -1 if the peer's is beyond {@code capacity}.
     * Wraps at 2^32.
     */
    public static int available(int producerIndex, int ownIndex, int capacity) {
        int distance = producerIndex - ownIndex;
        return Integer.compareUnsigned(distance, capacity) <= 0 ? distance : -1;
    }
}
