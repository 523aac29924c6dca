package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Psn;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.rc.Answer;
import io.hyperverbs.hca.rc.Responder;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.QpErrors;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.wire.AethSyndrome;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.hca.wire.RethLayout;
import io.hyperverbs.verbs.AsyncEvent;

/**
 * The responder's side of reliable connections on a wire: packets of requests in the order of their PSNs. A
 * gap is said once; what was executed is acknowledged or answered again, and not executed again (IBA 9.7.5). All other
 * checks are the {@link Responder}'s, made for each packet. Engine thread only.
 */
final class RcRequests {
    private final Responder responder;
    private final RcResponses responses;
    private final QpErrors errors;
    private final ContextMemory contexts;
    private final MessageReader reader = new MessageReader();
    private final Message message = reader.message();
    private final SgList payload;

    RcRequests(Responder responder, RcResponses responses, QpErrors errors, ContextMemory contexts) {
        this.responder = responder;
        this.responses = responses;
        this.errors = errors;
        this.contexts = contexts;
        this.payload = new SgList(contexts.memory());
    }

    /** A request packet of the peer came, to a queue pair that responds. */
    void arrived(Qp qp, WireQp wire, Arrival arrival) {
        int ahead = Psn.distance(arrival.psn(), qp.rqPsn());
        if (ahead > 0) {
            qp.context().count(Counter.OUT_OF_SEQUENCE);
            responses.nakOnce(qp, wire, AethSyndrome.nak(AethSyndrome.PSN_SEQUENCE_ERROR));
        } else if (ahead < 0) {
            qp.context().count(Counter.DUPLICATE_REQUEST);
            duplicate(qp, wire, arrival);
        } else {
            wire.nakSent = false;
            expected(qp, wire, arrival);
        }
    }

    private void expected(Qp qp, WireQp wire, Arrival arrival) {
        if (!reader.read(qp, wire, arrival)) {
            errors.fail(qp, AsyncEvent.Type.QP_REQ_ERR);
            responses.nak(qp, wire, AethSyndrome.nak(AethSyndrome.INVALID_REQUEST));
            return;
        }
        boolean isAnswered = message.isRead() || message.isAtomic();
        if (isAnswered
                && wire.responses.outstanding() >= qp.maxDestinationReadAtomic()
                && qp.maxDestinationReadAtomic() > 0) {
            errors.fail(qp, AsyncEvent.Type.QP_REQ_ERR);
            responses.nak(qp, wire, AethSyndrome.nak(AethSyndrome.INVALID_REQUEST));
            return;
        }
        Answer answer = responder.admit(qp, message);
        if (answer == Answer.ACK) {
            answer = execute(qp, wire, arrival);
        }
        if (answer != Answer.ACK) {
            refused(qp, wire, answer);
        }
    }

    private Answer execute(Qp qp, WireQp wire, Arrival arrival) {
        int psn = arrival.psn();
        if (message.isAtomic()) {
            wire.responses.addAtomic(psn, responder.execute(message));
        } else if (message.isRead()) {
            int packets = (int) Psn.packets(message.lengthBytes, qp.pathMtuBytes());
            wire.responses.addRead(psn, packets, message);
            qp.advanceRqPsn(packets - 1L);
        } else {
            int bytes = arrival.payloadBytes();
            payload.setPrivate(arrival.memory(), arrival.payload(), bytes);
            SgList.copy(payload, 0, responder.place(), reader.arrivedBefore(), bytes);
        }
        boolean isLast = PacketTable.place(arrival.opcode).endsMessage();
        if (isLast) {
            Answer answer = responder.finish(qp, message);
            if (answer != Answer.ACK) {
                // The expected packet is this one still: the NAK has its PSN.
                return answer;
            }
            wire.messageNumber = Psn.plus(wire.messageNumber, 1);
        }
        qp.advanceRqPsn(1);
        reader.taken(wire, arrival);
        if (message.isRead() || message.isAtomic()) {
            responses.answer(qp, wire);
        } else {
            responses.acknowledge(qp, wire, arrival.asksForAck());
        }
        return Answer.ACK;
    }

    private void refused(Qp qp, WireQp wire, Answer answer) {
        switch (answer) {
            case RNR_NAK -> responses.nakOnce(qp, wire, AethSyndrome.rnrNak(qp.minRnrTimer()));
            case NAK_INVALID_REQUEST -> responses.nak(qp, wire, AethSyndrome.nak(AethSyndrome.INVALID_REQUEST));
            case NAK_REMOTE_ACCESS -> responses.nak(qp, wire, AethSyndrome.nak(AethSyndrome.REMOTE_ACCESS_ERROR));
            case NAK_REMOTE_OPERATION ->
                responses.nak(qp, wire, AethSyndrome.nak(AethSyndrome.REMOTE_OPERATIONAL_ERROR));
            case DROP -> contexts.count(Counter.RX_DROPPED_MESSAGES);
            case ACK -> throw new IllegalStateException("an ACK is no refusal");
        }
    }

    private void duplicate(Qp qp, WireQp wire, Arrival arrival) {
        Kind kind = PacketTable.kind(arrival.opcode);
        boolean isRead = kind == Kind.READ_REQUEST;
        if (!isRead && kind != Kind.COMPARE_SWAP && kind != Kind.FETCH_ADD) {
            responses.acknowledge(qp, wire, true);
            return;
        }
        int ago = wire.responses.ago(arrival.psn());
        if (ago == 0) {
            return;
        }
        int index = wire.responses.index(ago);
        if (isRead != wire.responses.isRead(index)) {
            return;
        }
        long done = 0;
        if (wire.responses.isRead(index)) {
            done = (long) Psn.distance(arrival.psn(), wire.responses.psn(index)) * qp.pathMtuBytes();
            if (!isSameRead(wire, index, arrival, done)) {
                return;
            }
        }
        wire.responses.giveAgain(index, done);
        responses.answer(qp, wire);
    }

    /** Whether a read asks for what is left of one that was executed: the same range, under the same key. */
    private static boolean isSameRead(WireQp wire, int index, Arrival arrival, long done) {
        long reth = arrival.offset() + PacketTable.headerOffset(arrival.opcode, Header.RETH);
        return RethLayout.rkey(arrival.memory(), reth) == wire.responses.rkey(index)
                && RethLayout.remoteAddress(arrival.memory(), reth) == wire.responses.address(index) + done
                && RethLayout.lengthBytes(arrival.memory(), reth) == wire.responses.lengthBytes(index) - done;
    }
}
