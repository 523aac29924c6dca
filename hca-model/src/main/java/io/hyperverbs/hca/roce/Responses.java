package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.qp.Psn;
import io.hyperverbs.hca.transport.Message;

/**
 * Answers to reads and atomics that a responder owes, in their order, and those it has given last: a requester that
 * missed one asks again, and an atomic must not be executed a second time (IBA 9.4.5). Numbers are free-running.
 * Engine thread only.
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
    private int next;
    private int end;
    private int kept;
    private long begunBytes;
    private long doneBytes;

    /** Whether an answer is owed. */
    boolean isPending() {
        return next != end;
    }

    /** How many answers are owed. */
    int pending() {
        return end - next;
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
        if (next == end) {
            giveAgain(end, 0);
        }
        end++;
        kept = Math.min(kept + 1, KEPT);
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

    /** Owes that answer again, and those after it, from so many bytes of it on. */
    void giveAgain(int index, long bytesDone) {
        next = index;
        begunBytes = bytesDone;
        doneBytes = bytesDone;
    }

    /** Owes nothing any more. */
    void drop() {
        giveAgain(end, 0);
    }

    /** The answer that is owed next; there is one. */
    int next() {
        return next;
    }

    /** Bytes of it that were sent. */
    long doneBytes() {
        return doneBytes;
    }

    void advance(long bytes) {
        doneBytes += bytes;
    }

    /** It is given. */
    void given() {
        giveAgain(next + 1, 0);
    }

    /** Whether no packet of the answer that is owed next has been sent since it was asked for. */
    boolean isAtBegin() {
        return doneBytes == begunBytes;
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
