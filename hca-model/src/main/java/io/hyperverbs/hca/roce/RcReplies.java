package io.hyperverbs.hca.roce;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Psn;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.rc.Answer;
import io.hyperverbs.hca.rc.Answers;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.wire.AethLayout;
import io.hyperverbs.hca.wire.AethSyndrome;
import io.hyperverbs.hca.wire.AtomicAckEthLayout;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VendorError;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What comes back to a requester of RC: acknowledgements, answers to reads and atomics. Requests complete in their
 * order; an answer to a later one says that those before it are done, but for a read whose answer is missing, which is
 * asked for again (IBA 9.7.5.1). Engine thread only.
 */
final class RcReplies {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);

    private final WireTimers timers;
    private final Answers answers;
    private final RequestCheck check;
    private final SgList local;
    private final SgList payload;
    private final MemorySegment word = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final CompletionError error = new CompletionError();

    RcReplies(WireTimers timers, Answers answers, RequestCheck check, ContextMemory contexts) {
        this.timers = timers;
        this.answers = answers;
        this.check = check;
        this.local = new SgList(contexts.memory());
        this.payload = new SgList(contexts.memory());
    }

    /** An answer came; the caller queues the queue pair. */
    void arrived(Qp qp, WireQp wire, Arrival arrival, long nowNanos) {
        boolean isRequesting = qp.state() == QpState.RTS || qp.state() == QpState.SQD;
        if (!isRequesting || !wire.isUnacked(arrival.psn())) {
            return;
        }
        int unacked = wire.unackedPsn();
        if (PacketTable.kind(arrival.opcode) == Kind.ACK) {
            acknowledged(qp, wire, arrival, nowNanos);
        } else if (acknowledge(qp, wire, Psn.plus(arrival.psn(), -1))) {
            data(qp, wire, arrival);
        }
        if (qp.state() == QpState.RTS || qp.state() == QpState.SQD) {
            goOn(qp, wire, unacked != wire.unackedPsn(), nowNanos);
        }
    }

    private void goOn(Qp qp, WireQp wire, boolean progressed, long nowNanos) {
        if (progressed) {
            timers.acknowledged(qp, wire, nowNanos);
        }
        if (!wire.awaitsAnswer()) {
            timers.disarm(wire);
        }
        if (qp.sends().waitsFor() == SendQueue.Wait.WINDOW) {
            qp.sends().resume();
        }
    }

    private void acknowledged(Qp qp, WireQp wire, Arrival arrival, long nowNanos) {
        long aeth = arrival.offset() + PacketTable.headerOffset(arrival.opcode, Header.AETH);
        int syndrome = AethLayout.syndrome(arrival.memory(), aeth);
        if (AethSyndrome.isReserved(syndrome)) {
            return;
        }
        if (AethSyndrome.type(syndrome) == AethSyndrome.ACK) {
            wire.limit(AethLayout.msn(arrival.memory(), aeth), AethSyndrome.credits(AethSyndrome.value(syndrome)));
            boolean _ = acknowledge(qp, wire, arrival.psn());
            return;
        }
        if (!acknowledge(qp, wire, Psn.plus(arrival.psn(), -1)) || !qp.sends().isOutstanding()) {
            return;
        }
        qp.sends().selectOldest();
        if (AethSyndrome.type(syndrome) == AethSyndrome.RNR_NAK) {
            notReady(qp, wire, arrival, AethSyndrome.value(syndrome), nowNanos);
        } else if (AethSyndrome.value(syndrome) == AethSyndrome.PSN_SEQUENCE_ERROR) {
            missed(qp, wire, arrival);
        } else {
            error.set(VendorError.REMOTE_NAK);
            answers.refused(qp, refusal(syndrome), error, 0, nowNanos);
        }
    }

    // What the network has doubled says nothing of what will be sent again.
    private void notReady(Qp qp, WireQp wire, Arrival arrival, int timerCode, long nowNanos) {
        if (wire.isUnderWay(arrival.psn())) {
            error.set(VendorError.NO_RECEIVE);
            answers.refused(qp, Answer.RNR_NAK, error, timerCode, nowNanos);
            sendAgain(qp, wire);
            timers.disarm(wire);
        }
    }

    private void missed(Qp qp, WireQp wire, Arrival arrival) {
        if (wire.isUnderWay(arrival.psn())) {
            qp.context().count(Counter.PACKET_SEQ_ERR);
            retry(qp, wire);
        }
    }

    private static Answer refusal(int syndrome) {
        return switch (AethSyndrome.value(syndrome)) {
            case AethSyndrome.REMOTE_ACCESS_ERROR -> Answer.NAK_REMOTE_ACCESS;
            case AethSyndrome.REMOTE_OPERATIONAL_ERROR -> Answer.NAK_REMOTE_OPERATION;
            default -> Answer.NAK_INVALID_REQUEST;
        };
    }

    /** An acknowledgement did not come in time. */
    void overdue(Qp qp, WireQp wire) {
        if (wire.awaitsAnswer() && qp.sends().isOutstanding()) {
            qp.context().count(Counter.LOCAL_ACK_TIMEOUT_ERR);
            qp.sends().ackTimedOut();
            wire.impliedPsn = WireQp.NONE;
            qp.sends().selectOldest();
            retry(qp, wire);
        }
    }

    // The oldest request is selected: it is what fails if there are no retries left.
    private void retry(Qp qp, WireQp wire) {
        if (answers.mayRetry(qp)) {
            sendAgain(qp, wire);
        }
    }

    private static void sendAgain(Qp qp, WireQp wire) {
        SendQueue sends = qp.sends();
        if (!sends.isOutstanding()) {
            return;
        }
        int oldest = sends.head();
        long packets = Psn.distance(wire.unackedPsn(), wire.firstPsn(oldest));
        wire.sendAgain();
        sends.carryAgain(oldest, packets * qp.pathMtuBytes());
        if (sends.waitsFor() == SendQueue.Wait.WINDOW) {
            sends.resume();
        }
    }

    /**
     * All packets up to that one have their answer.
     *
     * @return false if that cannot be, as a read before has none: it is asked for again
     */
    private boolean acknowledge(Qp qp, WireQp wire, int psn) {
        SendQueue sends = qp.sends();
        while (Psn.distance(psn, wire.unackedPsn()) >= 0 && sends.isOutstanding()) {
            int oldest = sends.head();
            sends.selectOldest();
            if (isAnswered(sends.opcode())) {
                unanswered(qp, wire);
                return false;
            }
            Answers.progressed(qp);
            int last = wire.lastPsn(oldest);
            if (Psn.distance(psn, last) < 0) {
                partly(qp, wire, Psn.plus(psn, 1));
                return true;
            }
            wire.ackedUpTo(Psn.plus(last, 1));
            answers.done(qp);
        }
        return true;
    }

    // Answers to several later requests may be on the wire: together they show one loss.
    private void unanswered(Qp qp, WireQp wire) {
        if (wire.impliedPsn != wire.unackedPsn()) {
            wire.impliedPsn = wire.unackedPsn();
            qp.context().count(Counter.IMPLIED_NAK_SEQ_ERR);
            retry(qp, wire);
        }
    }

    // What is under way again may be acknowledged by the answer to its first try.
    private static void partly(Qp qp, WireQp wire, int nextPsn) {
        wire.ackedUpTo(nextPsn);
        passOver(qp, wire, nextPsn);
    }

    private static void passOver(Qp qp, WireQp wire, int nextPsn) {
        SendQueue sends = qp.sends();
        int oldest = sends.head();
        long done = (long) Psn.distance(nextPsn, wire.firstPsn(oldest)) * qp.pathMtuBytes();
        if (sends.next() == oldest && sends.doneBytes() < done) {
            sends.carryAgain(oldest, done);
        }
    }

    private static boolean isAnswered(int opcode) {
        return opcode == SendWqeLayout.OPCODE_RDMA_READ || isAtomic(opcode);
    }

    private static boolean isAtomic(int opcode) {
        return opcode == SendWqeLayout.OPCODE_COMPARE_AND_SWAP || opcode == SendWqeLayout.OPCODE_FETCH_AND_ADD;
    }

    /** A packet of the answer to the oldest request, or to none. */
    private void data(Qp qp, WireQp wire, Arrival arrival) {
        SendQueue sends = qp.sends();
        if (!sends.isOutstanding() || arrival.psn() != wire.unackedPsn()) {
            return;
        }
        sends.selectOldest();
        boolean isAtomic = isAtomic(sends.opcode());
        if (isAtomic != (PacketTable.kind(arrival.opcode) == Kind.ATOMIC_ACK) || !isAnswered(sends.opcode())) {
            return;
        }
        long done = isAtomic ? 0 : (long) Psn.distance(arrival.psn(), wire.firstPsn(sends.head())) * qp.pathMtuBytes();
        int bytes = isAtomic ? Long.BYTES : arrival.payloadBytes();
        boolean isLast = isAtomic || sends.lengthBytes() - done <= qp.pathMtuBytes();
        if (bytes != Math.min(sends.lengthBytes() - done, qp.pathMtuBytes())
                || isLast != PacketTable.place(arrival.opcode).endsMessage()) {
            // Not as long as it must be (IBA 9.7.6.2.3): asked for again, until there are no retries left.
            return;
        }
        if (!check.local(qp, Access.LOCAL_WRITE.bit(), local, error)) {
            answers.localError(qp, error);
            return;
        }
        if (isAtomic) {
            long before = AtomicAckEthLayout.original(
                    arrival.memory(),
                    arrival.offset() + PacketTable.headerOffset(arrival.opcode, Header.ATOMIC_ACK_ETH));
            word.set(LONG, 0, before);
            payload.setPrivate(word, 0, Long.BYTES);
        } else {
            payload.setPrivate(arrival.memory(), arrival.payload(), bytes);
        }
        SgList.copy(payload, 0, local, done, bytes);
        wire.answered(Psn.plus(arrival.psn(), 1), isLast);
        Answers.progressed(qp);
        if (isLast) {
            answers.done(qp);
        } else {
            passOver(qp, wire, wire.unackedPsn());
        }
    }
}
