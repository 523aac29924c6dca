package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.SendWqeLayout;
import java.lang.foreign.MemorySegment;

/**
 * The requester's side of one QP: which request is next, and how far the current one is. Indexes
 * are private; a request is copied once, and only the copy is looked at.
 *
 * <p>Requests that were fetched and have not completed are the window: one on loopback, where each is
 * answered before the next is fetched, several on a wire. Of these one is selected: its copy and what
 * was noted of it are what the accessors give. Indexes are free-running:
 *
 * <pre>
 *   head            next             fetched          tail
 *    | carried, not   | to be carried  | in the ring    |
 *    | answered       |                |                |
 * </pre>
 *
 * Engine thread only.
 */
public final class SendQueue {
    /** What the requests to be carried wait for. */
    public enum Wait {
        NOTHING,
        /** An acknowledgement that may never come. */
        ACK,
        /** The end of the responder's RNR delay. */
        RNR,
        /** The end of a pause for having missed keys. */
        LOCKOUT,
        /** Answers to requests before them. */
        WINDOW,
        /** Time, as the network is congested. */
        RATE
    }

    private final MemorySegment memory;
    private final long rings;
    private final QueueGeometry geometry;
    private final MemorySegment ownCopies;
    private final long ownCopy;
    private MemorySegment copies;
    private long firstCopy;
    private long copyStride;
    private int windowMask;
    private int[] opcodes = {};
    private int[] flagsOf = {};
    private long[] lengths = {};
    private int head;
    private int next;
    private int fetched;
    private int judged;
    private int tail;
    // The selected request.
    private int selected;
    private long copy;
    private int opcode;
    private int flags;
    private long lengthBytes;
    // The request to be carried next.
    private long doneBytes;
    private long peerIncarnation;
    private Wait wait = Wait.NOTHING;
    private int retriesLeft;
    private int ackTimeouts;
    private int rnrRetriesLeft;
    private int rnrRetriesTaken;

    SendQueue(MemorySegment memory, long rings, QueueGeometry geometry, MemorySegment copies, long copy) {
        this.memory = memory;
        this.rings = rings;
        this.geometry = geometry;
        this.ownCopies = copies;
        this.ownCopy = copy;
        this.copies = copies;
        this.copy = copy;
        this.firstCopy = copy;
    }

    /** Bytes that the copies of a window of so many requests take. */
    public long windowBytes(int requests) {
        return (long) requests * geometry.sendStrideBytes();
    }

    /** Entries of the send ring: more requests cannot be under way. */
    public int entries() {
        return geometry.sendEntries();
    }

    /**
     * Lets so many requests be under way; none is.
     *
     * @param requests a power of two, at least 2
     * @param space for their copies, {@link #windowBytes}
     */
    public void openWindow(int requests, MemorySegment space) {
        copies = space;
        firstCopy = 0;
        copyStride = geometry.sendStrideBytes();
        windowMask = requests - 1;
        opcodes = new int[requests];
        flagsOf = new int[requests];
        lengths = new long[requests];
        select(head);
    }

    /** One request at a time again; none is under way. */
    public void closeWindow() {
        copies = ownCopies;
        firstCopy = ownCopy;
        copyStride = 0;
        windowMask = 0;
        copy = ownCopy;
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

    /** Whether all that was accepted has completed. */
    public boolean isEmpty() {
        return head == tail;
    }

    /** Whether a request was fetched that is not wholly carried. */
    public boolean isBusy() {
        return next != fetched;
    }

    /** Whether requests were fetched that have not completed. */
    public boolean isOutstanding() {
        return head != fetched;
    }

    /** Whether there is a request in the ring, and room in the window for it. */
    public boolean canFetch() {
        return fetched != tail && fetched - head <= windowMask;
    }

    /** Whether there is something to carry now. */
    public boolean isReady() {
        return wait == Wait.NOTHING && (next != fetched || canFetch());
    }

    /** Fetches the next request, the only read of its bytes, and selects it. */
    public void fetch() {
        selected = fetched;
        copy = firstCopy + (fetched & windowMask) * copyStride;
        MemorySegment.copy(memory, rings + geometry.sendSlot(fetched), copies, copy, geometry.sendStrideBytes());
        opcode = SendWqeLayout.opcode(copies, copy);
        flags = SendWqeLayout.flags(copies, copy);
        if (windowMask != 0) {
            int slot = fetched & windowMask;
            opcodes[slot] = opcode;
            flagsOf[slot] = flags;
        }
        fetched++;
        doneBytes = 0;
        lengthBytes = 0;
        peerIncarnation = 0;
        wait = Wait.NOTHING;
    }

    /** Whether the selected request was found to be one that can be carried. */
    public boolean isJudged() {
        return selected - judged < 0;
    }

    /** The selected request, and those before it, can be carried. */
    public void judged() {
        judged = selected + 1;
    }

    /** Selects the request to be carried next; there is one. */
    public void selectNext() {
        select(next);
    }

    /** Selects the oldest request that was fetched and has not completed; there is one. */
    public void selectOldest() {
        select(head);
    }

    /** Selects a request of the window. */
    public void select(int index) {
        selected = index;
        if (windowMask != 0) {
            int slot = index & windowMask;
            copy = firstCopy + slot * copyStride;
            opcode = opcodes[slot];
            flags = flagsOf[slot];
            lengthBytes = lengths[slot];
        }
    }

    /** Free-running index of the selected request. */
    public int selected() {
        return selected;
    }

    /** Whether no request before the selected one waits for its answer. */
    public boolean isOldest() {
        return selected == head;
    }

    /** The request to be carried next is wholly carried; its answer comes later. */
    public void carried() {
        next++;
        doneBytes = 0;
    }

    /** Goes back to a request of the window, of which so much need not be carried again. */
    public void carryAgain(int index, long bytesDone) {
        next = index;
        doneBytes = bytesDone;
    }

    /** Ends the oldest request, which is selected and stays so; its slot is free from now on. */
    public void retire() {
        head++;
        if (head - next > 0) {
            next = head;
            doneBytes = 0;
        }
        // On a wire others may be under way, and what they wait for goes on.
        if (windowMask == 0) {
            wait = Wait.NOTHING;
        }
    }

    /** Forgets everything, for RESET. */
    void reset() {
        head = 0;
        next = 0;
        fetched = 0;
        judged = 0;
        tail = 0;
        wait = Wait.NOTHING;
        closeWindow();
    }

    /** Full budgets of retries: at a new request, and when an acknowledgement came. */
    public void resetRetries(int retries, int rnrRetries) {
        resetTransportRetries(retries);
        rnrRetriesLeft = rnrRetries;
        rnrRetriesTaken = 0;
    }

    /** A full budget of retries, and the RNR retries as they are: the peer has answered, if only that it is not ready. */
    public void resetTransportRetries(int retries) {
        retriesLeft = retries;
        ackTimeouts = 0;
    }

    /** An acknowledgement did not come in time: the next wait for one is longer. */
    public void ackTimedOut() {
        ackTimeouts++;
    }

    /** How many acknowledgements did not come in time since the peer was heard last. */
    public int ackTimeouts() {
        return ackTimeouts;
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

    /** Suspends the request to be carried next, which will start over. */
    public void suspend(Wait reason) {
        wait = reason;
        doneBytes = 0;
        peerIncarnation = 0;
    }

    /** Lets the request to be carried next wait where it is. */
    public void hold(Wait reason) {
        wait = reason;
    }

    public void resume() {
        wait = Wait.NOTHING;
    }

    public Wait waitsFor() {
        return wait;
    }

    /** The free-running index of the oldest request that has not completed. */
    public int head() {
        return head;
    }

    /** The free-running index of the request to be carried next. */
    public int next() {
        return next;
    }

    /** Requests fetched and not completed. */
    public int outstanding() {
        return fetched - head;
    }

    /** Length of the selected request. */
    public long lengthBytes() {
        return lengthBytes;
    }

    public void lengthBytes(long length) {
        lengthBytes = length;
        if (windowMask != 0) {
            lengths[selected & windowMask] = length;
        }
    }

    /** Bytes of the request to be carried next that are carried. */
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

    /** Byte offset of the selected request's copy in {@link #copies}. */
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
