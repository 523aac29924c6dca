package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.qp.Psn;
import io.hyperverbs.hca.transport.Message;

/**
 * Answers to reads and atomics that a responder owes, in their order, and those it has given last: a requester that
 * missed one asks again, and an atomic must not be executed a second time (IBA 9.4.5). What is asked for again is given
 * once more, before what was never given, as PSNs have it. Numbers are free-running. Engine thread only.
 */
final class Responses {
    /** As many as a queue pair may accept at once. */
    static final int KEPT = 16;

    private static final int MASK = KEPT - 1;

    private final boolean[] isRead = new boolean[KEPT];
    private final int[] psn = new int[KEPT];
    private final int[] packets = new int[KEPT];
    private final int[] rkey = new int[KEPT];
    private final int[] srqn = new int[KEPT];
    private final long[] address = new long[KEPT];
    private final long[] lengthBytes = new long[KEPT];
    private final long[] original = new long[KEPT];
    // Bytes of a read sent, and from where on, since it was asked for last.
    private final long[] doneBytes = new long[KEPT];
    private final long[] begunBytes = new long[KEPT];
    // A bit for each slot: its answer is pending.
    private int pending;
    private int next;
    private int fresh;
    private int end;
    private int kept;

    /** Whether an answer is owed. */
    boolean isPending() {
        return next != end;
    }

    /** How many answers were never given: those that the requester counts as outstanding. */
    int outstanding() {
        return end - fresh;
    }

    void addRead(int firstPsn, int packetCount, Message read) {
        int slot = add(firstPsn, packetCount);
        isRead[slot] = true;
        address[slot] = read.remoteAddress;
        rkey[slot] = read.rkey;
        srqn[slot] = read.srqn;
        lengthBytes[slot] = read.lengthBytes;
    }

    void addAtomic(int requestPsn, long before) {
        int slot = add(requestPsn, 1);
        isRead[slot] = false;
        original[slot] = before;
    }

    private int add(int firstPsn, int packetCount) {
        int slot = end & MASK;
        psn[slot] = firstPsn;
        packets[slot] = packetCount;
        end++;
        kept = Math.min(kept + 1, KEPT);
        giveAgain(end - 1, 0);
        return slot;
    }

    /** How many answers ago that one was added whose packets have that PSN among them; 0 if none kept has. */
    int ago(int wanted) {
        for (int ago = 1; ago <= kept; ago++) {
            int slot = (end - ago) & MASK;
            int at = Psn.distance(wanted, psn[slot]);
            if (at >= 0 && at < packets[slot]) {
                return ago;
            }
        }
        return 0;
    }

    /** The answer added so long {@link #ago}. */
    int index(int ago) {
        return end - ago;
    }

    /** That answer is pending, from this byte of it on. */
    void giveAgain(int index, long bytesDone) {
        int slot = index & MASK;
        pending |= 1 << slot;
        begunBytes[slot] = bytesDone;
        doneBytes[slot] = bytesDone;
        findNext();
    }

    // The oldest pending one.
    private void findNext() {
        next = end - kept;
        while (next != end && (pending & 1 << (next & MASK)) == 0) {
            next++;
        }
    }

    /** No answer is pending any more. */
    void drop() {
        pending = 0;
        fresh = end;
        next = end;
    }

    /** The answer that is owed next; there is one. */
    int next() {
        return next;
    }

    /** Bytes of it that were sent. */
    long doneBytes() {
        return doneBytes[next & MASK];
    }

    void advance(long bytes) {
        doneBytes[next & MASK] += bytes;
    }

    /** It is given. */
    void given() {
        pending &= ~(1 << (next & MASK));
        if (next == fresh) {
            fresh++;
        }
        findNext();
    }

    /** Whether no packet of the answer that is owed next has been sent since it was asked for. */
    boolean isAtBegin() {
        return doneBytes[next & MASK] == begunBytes[next & MASK];
    }

    boolean isRead(int index) {
        return isRead[index & MASK];
    }

    int psn(int index) {
        return psn[index & MASK];
    }

    long address(int index) {
        return address[index & MASK];
    }

    int rkey(int index) {
        return rkey[index & MASK];
    }

    int srqn(int index) {
        return srqn[index & MASK];
    }

    long lengthBytes(int index) {
        return lengthBytes[index & MASK];
    }

    /** What the word was before an atomic. */
    long original(int index) {
        return original[index & MASK];
    }
}
