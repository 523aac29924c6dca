package io.hyperverbs.hca.srq;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.event.EventSource;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.SrqContextLayout;
import io.hyperverbs.hca.layout.SrqContextLayout.Field;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.hca.layout.SrqRingLayout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One shared receive queue. Whoever needs a receive takes the next one: it is copied into that
 * queue pair's private memory and its slot is free from then on. Indexes are private. Engine thread
 * only; allocates nothing after construction.
 */
public final class Srq {
    /** {@link #available}: nothing more can be taken from it. */
    public static final int BROKEN = -1;

    private final int index;
    private final int srqn;
    private final SrqPlan plan;
    private final MemorySegment memory;
    private final long context;
    private final EventSource events;
    private long ring;
    private SrqGeometry geometry;
    private int head;
    private int tail;
    private int limit;
    private boolean broken;
    private int queuePairs;

    Srq(int index, int srqn, SrqPlan plan, ContextMemory contexts) {
        this.index = index;
        this.srqn = srqn;
        this.plan = plan;
        this.memory = contexts.memory();
        this.context = contexts.entry(Table.SRQ, index, SrqContextLayout.SIZE_BYTES);
        this.events = new EventSource(plan.uar(), srqn);
        this.ring = plan.ringAddress();
        this.geometry = plan.geometry();
        Cq cq = plan.cq();
        note(Field.STATE, 0);
        note(Field.DOMAIN, plan.domain());
        note(Field.UAR, plan.uar());
        note(Field.PD, plan.pd());
        note(Field.HEAD, 0);
        note(Field.LIMIT, 0);
        note(Field.QUEUE_PAIRS, 0);
        note(Field.XRCD, plan.xrcd());
        note(Field.CQ, cq == null ? 0 : cq.number());
        note(Field.RECEIVE_SGE, plan.receiveSge());
        noteRing();
        SrqContextLayout.publishRelease(memory, context, srqn);
    }

    int index() {
        return index;
    }

    /** Its number, 24 bits, random: what an XRC request names. */
    public int srqn() {
        return srqn;
    }

    public int uar() {
        return plan.uar();
    }

    /** Keys of its receives are looked up in this protection domain, whichever queue pair fetches them. */
    public int pd() {
        return plan.pd();
    }

    /** XRC domain, 0 if it is none of XRC. */
    public int xrcd() {
        return plan.xrcd();
    }

    /** Where its receives complete with XRC; null: on the queue pair's own. */
    public @Nullable Cq cq() {
        return plan.cq();
    }

    public EventSource events() {
        return events;
    }

    public int maxSegments() {
        return plan.receiveSge();
    }

    public int entries() {
        return geometry.entries();
    }

    /** The free-running index of the next receive to take. */
    public int head() {
        return head;
    }

    public int limit() {
        return limit;
    }

    public boolean isUsed() {
        return queuePairs != 0;
    }

    public boolean isBroken() {
        return broken;
    }

    /** A queue pair attaches, +1, or detaches, -1. */
    public void attach(int change) {
        queuePairs += change;
        note(Field.QUEUE_PAIRS, queuePairs);
    }

    /** Receives that may be taken now, or {@link #BROKEN}. */
    public int available() {
        Cq cq = plan.cq();
        if (broken || (cq != null && cq.isBroken())) {
            return BROKEN;
        }
        return head == tail ? readProducerIndex() : tail - head;
    }

    /** Reads the producer index, which is accepted only within the ring and never backwards. */
    private int readProducerIndex() {
        int producer = SrqRingLayout.producerIndexAcquire(memory, ring);
        int outstanding = QueueIndexes.available(producer, head, geometry.entries());
        if (outstanding < 0 || outstanding - (tail - head) < 0) {
            return BROKEN;
        }
        tail = producer;
        return outstanding;
    }

    /** Copies the next receive, which is {@link #available}; it stays in the queue. */
    public void read(MemorySegment copies, long copy) {
        MemorySegment.copy(memory, ring + geometry.slot(head), copies, copy, geometry.strideBytes());
    }

    /**
     * Takes the receive that was {@link #read} last, whose bytes are not read again.
     *
     * @return whether the limit was passed by that; the event is raised once
     */
    public boolean take() {
        head++;
        SrqContextLayout.writeHead(memory, context, head);
        SrqRingLayout.headIndexRelease(memory, ring, head);
        return limit != 0 && isBelowLimit();
    }

    /**
     * Arms the limit, or disarms it with 0.
     *
     * @return whether fewer receives than that are posted already: the event is raised at once
     */
    public boolean arm(int newLimit) {
        limit = newLimit;
        note(Field.LIMIT, limit);
        return limit != 0 && isBelowLimit();
    }

    // A jump of the index is found by the next who needs a receive.
    private boolean isBelowLimit() {
        int there = readProducerIndex();
        if (there < 0 || there >= limit) {
            return false;
        }
        limit = 0;
        note(Field.LIMIT, 0);
        return true;
    }

    /**
     * Goes on in other ring memory, into which the guest has copied what is posted.
     *
     * @return false if that does not fit or the indexes there are not those of this queue; nothing
     *     is changed then
     */
    public boolean moveTo(long newRing, SrqGeometry newGeometry) {
        int posted = readProducerIndex();
        int producer = SrqRingLayout.producerIndexAcquire(memory, newRing);
        if (posted < 0 || posted > newGeometry.entries() || producer != tail) {
            return false;
        }
        ring = newRing;
        geometry = newGeometry;
        SrqRingLayout.headIndexRelease(memory, ring, head);
        noteRing();
        return true;
    }

    /** Nothing is taken from it any more. @return false if it was broken before */
    public boolean fail() {
        boolean first = !broken;
        broken = true;
        note(Field.STATE, 1);
        return first;
    }

    void close() {
        SrqContextLayout.publishRelease(memory, context, 0);
    }

    private void noteRing() {
        note(Field.RING_ADDRESS, ring);
        note(Field.ENTRIES, geometry.entries());
        note(Field.STRIDE, geometry.strideBytes());
    }

    private void note(Field field, long value) {
        SrqContextLayout.set(memory, context, field, value);
    }
}
