package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/**
 * The driver's end of a shared receive queue's ring. Slots are free again once the head index has
 * passed them, in whatever order receives complete. One thread at a time; {@link #noteHead} may
 * come from another one.
 */
public final class SharedReceiveRing implements FilledRing {
    private MemorySegment memory;
    private SrqGeometry geometry;
    private int producer;

    /** Over zeroed memory, from offset 0. */
    public SharedReceiveRing(MemorySegment memory, SrqGeometry geometry) {
        this.memory = memory;
        this.geometry = geometry;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    public SrqGeometry geometry() {
        return geometry;
    }

    /** Receives posted so far, wraps at 2^32. */
    public int producer() {
        return producer;
    }

    /** Slots that may be filled. */
    public int free() {
        return geometry.entries() - (producer - SrqRingLayout.headIndexAcquire(memory, 0));
    }

    /**
     * Byte offset in {@link #memory} of the slot {@code ahead} requests after the last published
     * one.
     */
    @Override
    public long slot(int ahead) {
        return geometry.slot(producer + ahead);
    }

    /** Publishes {@code count} filled slots. */
    @Override
    public void publish(int count) {
        producer += count;
        SrqRingLayout.producerIndexRelease(memory, 0, producer);
    }

    /** Forwarded data path: the HCA, which cannot write here, has taken the receives before it. */
    public void noteHead(int index) {
        int known = SrqRingLayout.headIndexAcquire(memory, 0);
        if (index - known > 0) {
            SrqRingLayout.headIndexRelease(memory, 0, index);
        }
    }

    /**
     * Copies what the HCA has not taken into larger or smaller memory, where it has room; the HCA
     * goes on with the old until the verb is done.
     */
    public void copyTo(MemorySegment other, SrqGeometry otherGeometry) {
        int head = SrqRingLayout.headIndexAcquire(memory, 0);
        SrqRings.copy(memory, 0, geometry, other, 0, otherGeometry, head, producer);
    }

    /** Goes on in the memory that {@link #copyTo} filled. */
    public void moveTo(MemorySegment other, SrqGeometry otherGeometry) {
        memory = other;
        geometry = otherGeometry;
    }
}
