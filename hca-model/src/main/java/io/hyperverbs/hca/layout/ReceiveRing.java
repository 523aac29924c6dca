package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The driver's end of a receive ring; as {@link SendRing}. Receives complete in order, one slot
 * each. {@link #freeOne} may come from the polling thread.
 */
public final class ReceiveRing implements FilledRing {
    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(ReceiveRing.class, "head", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemorySegment memory;
    private final long rings;
    private final QueueGeometry geometry;
    private int producer;
    private int head;

    public ReceiveRing(MemorySegment memory, long rings, QueueGeometry geometry) {
        this.memory = memory;
        this.rings = rings;
        this.geometry = geometry;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    /** Slots that may be filled. */
    public int free() {
        return geometry.receiveEntries() - (producer - (int) HEAD.getAcquire(this));
    }

    /**
     * Byte offset in {@link #memory} of the slot {@code ahead} requests after the last published
     * one.
     */
    @Override
    public long slot(int ahead) {
        return rings + geometry.receiveSlot(producer + ahead);
    }

    /** Publishes {@code count} filled slots. */
    @Override
    public void publish(int count) {
        producer += count;
        QueueIndexes.receiveProducerRelease(memory, rings, producer);
    }

    /**
     * Frees the oldest slot, as a receive completion says; one left over from before a reset frees
     * nothing.
     */
    public void freeOne() {
        if (head != producer) {
            HEAD.setRelease(this, head + 1);
        }
    }

    /** Forgets everything, after the queue pair went to RESET. */
    public void reset() {
        producer = 0;
        HEAD.setRelease(this, 0);
        QueueIndexes.receiveProducerRelease(memory, rings, 0);
    }
}
