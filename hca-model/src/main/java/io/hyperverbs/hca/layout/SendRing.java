package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The driver's end of a send ring: where the next entries go, and how many fit. Posting is for one
 * thread at a time; {@link #freeUpTo} may come from the polling thread. Allocates nothing.
 */
public final class SendRing implements FilledRing {
    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(SendRing.class, "head", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemorySegment memory;
    private final long rings;
    private final QueueGeometry geometry;
    private int producer;
    private int head;

    /**
     * @param memory holds the ring memory
     * @param rings byte offset of the ring memory in {@code memory}, 64-byte aligned
     */
    public SendRing(MemorySegment memory, long rings, QueueGeometry geometry) {
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
        return geometry.sendEntries() - (producer - (int) HEAD.getAcquire(this));
    }

    /**
     * Byte offset in {@link #memory} of the slot {@code ahead} requests after the last published
     * one.
     */
    @Override
    public long slot(int ahead) {
        return rings + geometry.sendSlot(producer + ahead);
    }

    /** Publishes {@code count} filled slots; the caller rings the doorbell after it. */
    @Override
    public void publish(int count) {
        producer += count;
        QueueIndexes.sendProducerRelease(memory, rings, producer);
    }

    /**
     * Frees all slots before {@code sqHead}, as a completion says. One that names slots which were
     * not posted is left over from before a reset and frees nothing.
     */
    public void freeUpTo(int sqHead) {
        if (sqHead - head > 0 && sqHead - producer <= 0) {
            HEAD.setRelease(this, sqHead);
        }
    }

    /** Forgets everything, after the queue pair went to RESET. */
    public void reset() {
        producer = 0;
        HEAD.setRelease(this, 0);
        QueueIndexes.sendProducerRelease(memory, rings, 0);
    }
}
