package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.SendWqeLayout;
import java.lang.foreign.MemorySegment;

/**
 * The requester's side of one QP: which request is next, and how far the current one is. Indexes
 * are private; a request is copied once, and only the copy is looked at. Engine thread only.
 */
public final class SendQueue {
    /** What the current request waits for. */
    public enum Wait {
        NOTHING,
        /** An acknowledgement that may never come. */
        ACK,
        /** The end of the responder's RNR delay. */
        RNR,
        /** The end of a pause for having missed keys. */
        LOCKOUT
    }

    private final MemorySegment memory;
    private final long rings;
    private final QueueGeometry geometry;
    private final MemorySegment copies;
    private final long copy;
    private int head;
    private int tail;
    private int opcode;
    private int flags;
    private boolean busy;
    private Wait wait = Wait.NOTHING;
    private long lengthBytes;
    private long doneBytes;
    private long peerIncarnation;
    private int retriesLeft;
    private int rnrRetriesLeft;
    private int rnrRetriesTaken;

    SendQueue(MemorySegment memory, long rings, QueueGeometry geometry, MemorySegment copies, long copy) {
        this.memory = memory;
        this.rings = rings;
        this.geometry = geometry;
        this.copies = copies;
        this.copy = copy;
    }

    /**
     * Reads the producer index.
     *
     * @return false if it is beyond the ring; what was accepted before stays as it was
     */
    public boolean readProducerIndex() {
        int producer = QueueIndexes.sendProducerAcquire(memory, rings);
        int outstanding = QueueIndexes.available(producer, head, geometry.sendEntries());
        // An index that went back behind what was accepted is a jump as well.
        if (outstanding < 0 || outstanding - (tail - head) < 0) {
            return false;
        }
        tail = producer;
        return true;
    }

    public boolean isEmpty() {
        return head == tail;
    }

    /** Whether a request was fetched and has not completed. */
    public boolean isBusy() {
        return busy;
    }

    /** Fetches the next request: the only read of its bytes. */
    public void fetch() {
        MemorySegment.copy(memory, rings + geometry.sendSlot(head), copies, copy, geometry.sendStrideBytes());
        opcode = SendWqeLayout.opcode(copies, copy);
        flags = SendWqeLayout.flags(copies, copy);
        busy = true;
        doneBytes = 0;
        lengthBytes = 0;
        peerIncarnation = 0;
        wait = Wait.NOTHING;
    }

    /** Ends the current request; its slot is free from now on. */
    public void retire() {
        head++;
        busy = false;
        wait = Wait.NOTHING;
    }

    /** Forgets everything, for RESET. */
    void reset() {
        head = 0;
        tail = 0;
        busy = false;
        wait = Wait.NOTHING;
    }

    /** Full budgets of retries: at a new request, and when an acknowledgement came. */
    public void resetRetries(int retries, int rnrRetries) {
        retriesLeft = retries;
        rnrRetriesLeft = rnrRetries;
        rnrRetriesTaken = 0;
    }

    /** Uses up one retry; false if there is none. */
    public boolean takeRetry() {
        return retriesLeft-- > 0;
    }

    /** Uses up one RNR retry; false if there is none. */
    public boolean takeRnrRetry() {
        rnrRetriesTaken++;
        return rnrRetriesLeft-- > 0;
    }

    /** How many RNR retries the current request took since the last progress. */
    public int rnrRetriesTaken() {
        return rnrRetriesTaken;
    }

    /** Suspends the current request, which will start over. */
    public void suspend(Wait reason) {
        wait = reason;
        doneBytes = 0;
        peerIncarnation = 0;
    }

    /** Lets the current request, or the next, wait where it is. */
    public void suspendForLockout() {
        wait = Wait.LOCKOUT;
    }

    public void resume() {
        wait = Wait.NOTHING;
    }

    public Wait waitsFor() {
        return wait;
    }

    /** The free-running index of the next or current request. */
    public int head() {
        return head;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    public void lengthBytes(long length) {
        lengthBytes = length;
    }

    public long doneBytes() {
        return doneBytes;
    }

    public void advance(long bytes) {
        doneBytes += bytes;
    }

    /** Begins or goes on with the message towards that life of the peer; starts over if it died. */
    public void bindPeer(long incarnation) {
        if (peerIncarnation != incarnation) {
            peerIncarnation = incarnation;
            doneBytes = 0;
        }
    }

    /** Whether the message is on its way to that life of the peer. */
    public boolean isBoundTo(long incarnation) {
        return peerIncarnation == incarnation;
    }

    public MemorySegment copies() {
        return copies;
    }

    /** Byte offset of the current request's copy in {@link #copies}. */
    public long copy() {
        return copy;
    }

    public long wrId() {
        return SendWqeLayout.wrId(copies, copy);
    }

    public int opcode() {
        return opcode;
    }

    public boolean hasFlag(int flag) {
        return (flags & flag) != 0;
    }

    /** Flags no request may have. */
    public boolean hasUnknownFlags() {
        return (flags & ~SendWqeLayout.KNOWN_FLAGS) != 0;
    }
}
