package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.qp.Psn;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.wire.AethSyndrome;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.QpType;
import java.lang.foreign.Arena;

/**
 * What a queue pair on a wire has besides its queues: which packets are under way, and where the message
 * that arrives is. Made when it is connected, so that the engine allocates nothing later. Engine thread only.
 */
final class WireQp {
    /** No opcode, and so no message under way; no NAK. */
    static final int NONE = PacketTable.NO_OPCODE;

    private static final int MAX_WINDOW = 64;
    private static final long MAX_PACKETS = 1 << 22;

    // The requester's side. PSNs of the requests in the window, by slot.
    private final int windowMask;
    private final int[] firstPsn;
    private final int[] packets;
    private int assigned;
    private long unackedPackets;
    private int unackedPsn;
    private int sentPsn;
    private int highPsn;
    private int readPackets;
    private int readsOutstanding;
    /** Messages begun. */
    private int sendNumber;
    /** How many messages may have begun by the receives that the peer has posted; valid with {@link #knowsLimit}. */
    private int sendLimit;

    private boolean knowsLimit;

    /** The packet that the answer to a later request showed to be unanswered, or {@link #NONE}: said once of each. */
    int impliedPsn = NONE;
    /** When the ack timer runs out, while it is armed. */
    long ackDeadlineNanos;

    boolean ackArmed;

    /** How fast it may send for the congestion of the network. */
    final SendRate rate = new SendRate();
    /** How fast by its path; the slower one of both counts. */
    final StaticPace pace = new StaticPace();

    // The responder's side.
    /** Opcode of the request packet before, while its message is under way; else {@link #NONE}. */
    int arriving = NONE;

    long arrivedBytes;
    long remoteAddress;
    int rkey;
    long lengthBytes;
    /** Messages completed. */
    int messageNumber;
    /** A NAK was sent, and nothing more is said until the expected packet comes. */
    boolean nakSent;
    /** An acknowledgement is due. */
    boolean ackDue;
    /** It stands in the list of those that are due. */
    boolean isListed;
    /** NAK to be sent after the answers that are owed, or {@link #NONE}. */
    int nak = NONE;

    int nakPsn;
    final Responses responses;
    /** When congestion was last notified to the peer. */
    long notifiedNanos = Long.MIN_VALUE / 2;

    WireQp(Qp qp) {
        SendQueue sends = qp.sends();
        // Requests of UC end when they have left: one at a time.
        boolean isWindowed = qp.isAcknowledged() && qp.type() != QpType.XRC_RECV;
        int window = 2;
        while (isWindowed && window < Math.min(MAX_WINDOW, sends.entries())) {
            window *= 2;
        }
        windowMask = window - 1;
        firstPsn = new int[window];
        packets = new int[window];
        responses = new Responses();
        if (isWindowed) {
            sends.openWindow(window, Arena.ofAuto().allocate(sends.windowBytes(window), 64));
        }
        startAt(qp);
    }

    /** Nothing is under way, and the next packet has the queue pair's PSN. */
    void startAt(Qp qp) {
        unackedPsn = qp.sqPsn();
        sentPsn = unackedPsn;
        highPsn = unackedPsn;
        unackedPackets = 0;
        assigned = qp.sends().head();
    }

    /** Gives the request that is next its PSNs, if it has none. */
    void assign(Qp qp, int request, long count) {
        // What is local in between has none.
        if (!isAssigned(request)) {
            firstPsn[request & windowMask] = qp.sqPsn();
            packets[request & windowMask] = (int) count;
            qp.advanceSqPsn(count);
            unackedPackets += count;
            assigned = request + 1;
            sendNumber++;
        }
    }

    /** Whether the request has PSNs, so that a packet of it may have been sent. */
    boolean isAssigned(int request) {
        return request - assigned < 0;
    }

    /** Whether PSNs are left for a request of so many packets: half of them may be under way. */
    boolean hasPsns(long count) {
        return unackedPackets + count <= MAX_PACKETS;
    }

    int firstPsn(int request) {
        return firstPsn[request & windowMask];
    }

    int lastPsn(int request) {
        return Psn.plus(firstPsn(request), packets(request) - 1L);
    }

    int packets(int request) {
        return packets[request & windowMask];
    }

    /** The oldest packet that is not acknowledged. */
    int unackedPsn() {
        return unackedPsn;
    }

    /** Whether {@code psn} is that of a packet that was sent, and is not acknowledged. */
    boolean isUnacked(int psn) {
        return isUnackedBelow(highPsn, psn);
    }

    /** The same, and it was not given up since to be sent again. */
    boolean isUnderWay(int psn) {
        return isUnackedBelow(sentPsn, psn);
    }

    private boolean isUnackedBelow(int limit, int psn) {
        int at = Psn.distance(psn, unackedPsn);
        return at >= 0 && at < Psn.distance(limit, unackedPsn);
    }

    /** All packets before that one are acknowledged. */
    void ackedUpTo(int psn) {
        int count = Psn.distance(psn, unackedPsn);
        unackedPackets -= count;
        unackedPsn = psn;
        if (Psn.distance(sentPsn, psn) < 0) {
            sentPsn = psn;
        }
    }

    /** A packet of a send or write was sent. */
    void sent(int psn) {
        moved(Psn.plus(psn, 1));
    }

    private void moved(int psn) {
        sentPsn = psn;
        if (Psn.distance(psn, highPsn) > 0) {
            highPsn = psn;
        }
    }

    /** A read or an atomic was sent, which has so many packets of answer left. */
    void sentRead(int psn, int count) {
        readsOutstanding++;
        readPackets += count;
        moved(Psn.plus(psn, count));
    }

    /** The packet of an answer before {@code psn} came, the last one of it or not. */
    void answered(int psn, boolean isLast) {
        ackedUpTo(psn);
        // After a packet was asked for again, the first answer may come before the question was sent.
        readPackets = Math.max(0, readPackets - 1);
        readsOutstanding = Math.max(0, readsOutstanding - (isLast ? 1 : 0));
    }

    /** Whether something was sent that has no answer. */
    boolean awaitsAnswer() {
        return sentPsn != unackedPsn;
    }

    /** The peer has completed so many messages, and has so many receives for others. */
    void limit(int completed, int receives) {
        knowsLimit = receives != AethSyndrome.UNLIMITED;
        sendLimit = Psn.plus(completed, receives);
    }

    /** Reads and atomics sent that have no answer. */
    int readsOutstanding() {
        return readsOutstanding;
    }

    /** Packets of sends and writes on the way. */
    int inFlight() {
        return Psn.distance(sentPsn, unackedPsn) - readPackets;
    }

    /** All that is not acknowledged will be sent again. */
    void sendAgain() {
        sentPsn = unackedPsn;
        readsOutstanding = 0;
        readPackets = 0;
    }

    /** Whether the peer may have a receive for another message that needs one. */
    boolean mayTakeReceive() {
        return !knowsLimit || Psn.distance(sendNumber + 1, sendLimit) <= 0;
    }
}
