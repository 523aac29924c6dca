package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.srq.Srq;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The receive ring of one QP as the responder sees it. Indexes are private; a receive is copied
 * once, when a message first needs it, and fetched until that message ends. Engine thread only.
 */
@SuppressWarnings("ReferenceEquality") // A queue is that very one, not one like it.
public final class ReceiveQueue {
    /** What a look at the ring found. */
    public enum Found {
        NONE,
        SOME,
        /** The producer index is beyond the ring. */
        BEYOND
    }

    // Receives have no doorbell: in ERR the ring is looked at now and then, ever more rarely.
    private static final long FIRST_LOOK_NANOS = 1_000_000;
    private static final long LAST_LOOK_NANOS = 1_000_000_000;

    private final MemorySegment memory;
    private final long rings;
    private final QueueGeometry geometry;
    private final MemorySegment copies;
    private final long copy;
    private @Nullable Srq shared;
    private int head;
    private int tail;
    private boolean fetched;
    private long lookNanos;

    ReceiveQueue(
            MemorySegment memory,
            long rings,
            QueueGeometry geometry,
            MemorySegment copies,
            long copy,
            @Nullable Srq shared) {
        this.memory = memory;
        this.rings = rings;
        this.geometry = geometry;
        this.copies = copies;
        this.copy = copy;
        this.shared = shared;
    }

    /** Where receives come from instead of the own ring; null if from that. */
    public @Nullable Srq shared() {
        return shared;
    }

    void selectSrq(Srq srq) {
        shared = srq;
    }

    /** Lets go of that shared queue and of what was taken from it; false if it was not that. */
    boolean forget(Srq srq) {
        if (shared != srq) {
            return false;
        }
        shared = null;
        fetched = false;
        return true;
    }

    /** Looks for a receive: first at what was accepted before, then at the producer index. */
    public Found find() {
        return head == tail ? readProducerIndex() : Found.SOME;
    }

    /** Reads the producer index. */
    public Found readProducerIndex() {
        if (geometry.receiveEntries() == 0) {
            return Found.NONE;
        }
        int producer = QueueIndexes.receiveProducerAcquire(memory, rings);
        int outstanding = QueueIndexes.available(producer, head, geometry.receiveEntries());
        if (outstanding < 0 || outstanding - (tail - head) < 0) {
            return Found.BEYOND;
        }
        tail = producer;
        return outstanding == 0 ? Found.NONE : Found.SOME;
    }

    /** Receives that are posted and not taken, by the producer index if that is within the ring. */
    public int posted() {
        Found _ = readProducerIndex();
        return tail - head - (fetched ? 1 : 0);
    }

    public boolean isEmpty() {
        return head == tail;
    }

    public boolean isHeld() {
        return fetched;
    }

    /** Copies the next receive: the only read of its bytes. */
    public void fetch() {
        MemorySegment.copy(memory, rings + geometry.receiveSlot(head), copies, copy, geometry.receiveStrideBytes());
        fetched = true;
    }

    /** Copies the next receive of {@link #shared}, which has one; it is not taken yet. */
    public void readShared(Srq from) {
        from.read(copies, copy);
    }

    /**
     * Takes the receive that {@link #readShared} copied.
     *
     * @return whether that queue's limit was passed
     */
    public boolean holdShared(Srq from) {
        fetched = true;
        return from.take();
    }

    /** Lets go of a fetched receive, which stays the next one; but what is shared was taken. */
    void release() {
        fetched = fetched && shared != null;
        lookNanos = 0;
    }

    /**
     * In ERR, with nothing left to flush: how long to wait before the next look.
     *
     * @param found whether the look just done found receives
     */
    public long nextLookNanos(boolean found) {
        lookNanos = found || lookNanos == 0 ? FIRST_LOOK_NANOS : Math.min(2 * lookNanos, LAST_LOOK_NANOS);
        return lookNanos;
    }

    /** Ends the fetched receive. */
    public void retire() {
        head += shared == null ? 1 : 0;
        fetched = false;
    }

    void reset() {
        head = 0;
        tail = 0;
        fetched = false;
    }

    public int head() {
        return head;
    }

    public long wrId() {
        return ReceiveWqeLayout.wrId(copies, copy);
    }

    /** As the guest wrote it: any value. */
    public int segmentCount() {
        return ReceiveWqeLayout.segmentCount(copies, copy);
    }

    public long segmentAddress(int segment) {
        return ReceiveWqeLayout.segmentAddress(copies, copy, segment);
    }

    /** Unsigned. */
    public long segmentLengthBytes(int segment) {
        return ReceiveWqeLayout.segmentLengthBytes(copies, copy, segment) & 0xffff_ffffL;
    }

    /**
     * Bytes that its segments have room for, their lengths as the guest wrote them.
     *
     * @param segments how many there are, within the queue's limit
     */
    public long capacityBytes(int segments) {
        long capacity = 0;
        for (int i = 0; i < segments; i++) {
            capacity += segmentLengthBytes(i);
        }
        return capacity;
    }

    public int segmentLkey(int segment) {
        return ReceiveWqeLayout.segmentLkey(copies, copy, segment);
    }
}
