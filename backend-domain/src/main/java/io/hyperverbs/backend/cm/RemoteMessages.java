package io.hyperverbs.backend.cm;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.DreqLayout;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.mad.MraLayout;
import io.hyperverbs.backend.mad.RejLayout;
import io.hyperverbs.backend.mad.RepLayout;
import io.hyperverbs.backend.mad.ReqLayout;
import io.hyperverbs.backend.mad.RtuLayout;
import io.hyperverbs.backend.mad.TimeCode;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import java.util.Objects;

/**
 * What messages of other HCAs do. All of a datagram is hostile: it finds an end only by the id that this side has drawn
 * and from the address that the end leads to, or by the caller's id from that address. Under the lock of its connection
 * manager.
 */
final class RemoteMessages {
    /** What an MRA from here says of how long a program may take: 68.7 s, as rdma_cm says. */
    private static final int SERVICE_TIMEOUT = 24;

    /**
     * How many intervals an MRA stops a message at most, whatever it says: what answers the message may be lost, and
     * its user's time is not longer for the MRA.
     */
    private static final long MAX_SERVICE_INTERVALS = 8;

    private static final int FIRST_QPN = 2;

    private final LocalPort port;
    private final RemoteEnds ends;
    private final RemoteConnections connections;

    RemoteMessages(LocalPort port, RemoteEnds ends, RemoteConnections connections) {
        this.port = port;
        this.ends = ends;
        this.connections = connections;
    }

    /** False if it is a REQ to be looked at again in a moment. */
    boolean receive(byte[] mad, int address, int gsi, Callee callee, long nowNanos) {
        CmMessage kind = CmMessage.of(MadHeaderLayout.ATTRIBUTE_ID.getInt(mad));
        switch (kind) {
            case null -> {
                // LAP and APR: there are no alternate paths.
            }
            case REQ -> {
                return req(mad, address, gsi, callee, nowNanos);
            }
            case REP -> rep(mad, address, gsi, nowNanos);
            case RTU -> rtu(mad, address, nowNanos);
            case REJ -> rej(mad, address, nowNanos);
            case MRA -> mra(mad, address, nowNanos);
            case DREQ -> dreq(mad, address, gsi, nowNanos);
            case DREP -> drep(mad, address, nowNanos);
            case SIDR_REQ -> connections.reply(address, gsi, AnswerMads.unsupported(mad, transaction(mad)));
            case SIDR_REP -> {
                // Nobody has asked.
            }
        }
        return true;
    }

    private boolean req(byte[] mad, int address, int gsi, Callee callee, long nowNanos) {
        int remoteId = ReqLayout.LOCAL_COMM_ID.getInt(mad);
        RemoteEnd known = ends.called(address, remoteId);
        if (known != null && isSameCall(known, mad)) {
            answerAgain(known, CmMessage.REQ);
            return true;
        }
        RejectReason reason = known == null ? CallMads.refusal(mad, port) : RejectReason.STALE_CONN;
        if (known != null) {
            // The peer has forgotten the old one, or would not use its id again (IBA 12.9.8.3.1).
            over(known, nowNanos);
        }
        if (reason == RejectReason.NONE) {
            RemoteEnd end = ends.passive(address, gsi, remoteId);
            end.firstTransaction = transaction(mad);
            end.transactionId = end.firstTransaction;
            end.remoteQpn = ReqLayout.LOCAL_QPN.getInt(mad);
            CallVerdict verdict = callee.called(end, CallMads.call(mad, address), nowNanos);
            reason = verdict.reason();
            if (reason == RejectReason.NONE && !verdict.isLater()) {
                return true;
            }
            ends.remove(end);
            if (verdict.isLater()) {
                return false;
            }
        }
        connections.reply(
                address,
                gsi,
                AnswerMads.rej(
                        transaction(mad),
                        0,
                        remoteId,
                        CmMessage.REQ,
                        reason,
                        RejectInformation.of(reason, port),
                        PrivateData.none()));
        return true;
    }

    private static boolean isSameCall(RemoteEnd known, byte[] req) {
        return known.remoteQpn == ReqLayout.LOCAL_QPN.getInt(req) && known.firstTransaction == transaction(req);
    }

    private void over(RemoteEnd end, long nowNanos) {
        RemoteUser user = end.user;
        if (user != null) {
            user.receive(ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
            connections.retire(end, nowNanos);
        }
        ends.remove(end);
    }

    private void rep(byte[] mad, int address, int gsi, long nowNanos) {
        int remoteId = RepLayout.LOCAL_COMM_ID.getInt(mad);
        RemoteEnd end = ends.find(RepLayout.REMOTE_COMM_ID.getInt(mad), address);
        if (end == null) {
            connections.reply(
                    address,
                    gsi,
                    AnswerMads.rej(
                            transaction(mad),
                            RepLayout.REMOTE_COMM_ID.getInt(mad),
                            remoteId,
                            CmMessage.REP,
                            RejectReason.INVALID_COMM_ID,
                            PrivateData.none(),
                            PrivateData.none()));
            return;
        }
        if (end.passive || !isPeer(end, remoteId)) {
            return;
        }
        CmOffer offer = AnswerMads.offer(mad, end.type);
        if (stateOf(end) == ConnectionState.REQ_SENT && offer.qpn() >= FIRST_QPN) {
            end.remoteId = remoteId;
            end.remoteQpn = offer.qpn();
            connections.answered(end);
            deliver(
                    end,
                    ConnectionMessage.RECEIVE_REP,
                    new MessageContent(offer, RepLayout.PRIVATE_DATA.get(mad), RejectReason.NONE, 0),
                    nowNanos);
        } else {
            answerAgain(end, CmMessage.REP);
        }
    }

    private void rtu(byte[] mad, int address, long nowNanos) {
        RemoteEnd end = ends.find(RtuLayout.REMOTE_COMM_ID.getInt(mad), address);
        if (end != null && isPeer(end, RtuLayout.LOCAL_COMM_ID.getInt(mad))) {
            ready(end, RtuLayout.PRIVATE_DATA.get(mad), nowNanos);
        }
    }

    private void ready(RemoteEnd end, PrivateData data, long nowNanos) {
        if (stateOf(end) == ConnectionState.REP_SENT) {
            connections.answered(end);
            deliver(end, ConnectionMessage.RECEIVE_RTU, MessageContent.of(data), nowNanos);
        }
    }

    private void rej(byte[] mad, int address, long nowNanos) {
        int remoteId = RejLayout.LOCAL_COMM_ID.getInt(mad);
        int localId = RejLayout.REMOTE_COMM_ID.getInt(mad);
        // Who withdraws a REQ does not know yet what it is called here.
        RemoteEnd end = localId == 0 ? ends.called(address, remoteId) : ends.find(localId, address);
        if (end == null || !(remoteId == 0 || isPeer(end, remoteId))) {
            return;
        }
        ConnectionState state = stateOf(end);
        if (end.user == null) {
            ends.remove(end);
        } else if (ConnectionMoves.find(state, ConnectionMessage.RECEIVE_REJ) != null) {
            connections.answered(end);
            RejectReason reason = RejectReason.of(RejLayout.REASON.getInt(mad));
            deliver(
                    end,
                    ConnectionMessage.RECEIVE_REJ,
                    MessageContent.reject(reason, RejLayout.PRIVATE_DATA.get(mad)),
                    nowNanos);
        } else if (state == ConnectionState.ESTABLISHED) {
            // It never got the RTU.
            deliver(end, ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
        }
    }

    private void mra(byte[] mad, int address, long nowNanos) {
        RemoteEnd end = ends.find(MraLayout.REMOTE_COMM_ID.getInt(mad), address);
        CmMessage last = end == null ? null : end.lastMessage;
        if (end == null || last == null || !isPeer(end, MraLayout.LOCAL_COMM_ID.getInt(mad))) {
            return;
        }
        if (end.awaitsAnswer && last.answeredCode() == MraLayout.MESSAGE.getInt(mad) && last != CmMessage.DREQ) {
            long serviceNanos = TimeCode.nanos(MraLayout.SERVICE_TIMEOUT.getInt(mad));
            long waitNanos = Math.min(serviceNanos, MAX_SERVICE_INTERVALS * end.intervalNanos);
            ends.deadlines().set(end, nowNanos + waitNanos + end.intervalNanos);
        }
    }

    private void dreq(byte[] mad, int address, int gsi, long nowNanos) {
        int localId = DreqLayout.REMOTE_COMM_ID.getInt(mad);
        int remoteId = DreqLayout.LOCAL_COMM_ID.getInt(mad);
        RemoteEnd end = ends.find(localId, address);
        if (end == null) {
            // A connection that is not there is released already.
            connections.reply(address, gsi, AnswerMads.drep(transaction(mad), localId, remoteId, PrivateData.none()));
            return;
        }
        if (!isPeer(end, remoteId) || end.remoteId == 0 || end.ownQpn != DreqLayout.REMOTE_QPN.getInt(mad)) {
            return;
        }
        end.peerGsi = gsi;
        // The peer is connected, so its RTU is lost.
        ready(end, PrivateData.none(), nowNanos);
        switch (stateOf(end)) {
            case ESTABLISHED, DREQ_SENT -> {
                if (end.lastMessage == CmMessage.DREQ) {
                    connections.answered(end);
                }
                end.transactionId = transaction(mad);
                deliver(
                        end,
                        ConnectionMessage.RECEIVE_DREQ,
                        MessageContent.of(DreqLayout.PRIVATE_DATA.get(mad)),
                        nowNanos);
            }
            case IDLE, TIMEWAIT -> {
                end.transactionId = transaction(mad);
                released(end);
            }
            case REQ_SENT, REQ_RECEIVED, REP_SENT, REP_RECEIVED, DREQ_RECEIVED, SIDR_REQ_SENT, SIDR_REQ_RECEIVED -> {
                // The program has not answered yet.
            }
        }
    }

    /** Answers a DREQ of a connection that is over here. */
    private void released(RemoteEnd end) {
        if (end.lastMessage == CmMessage.DREP) {
            connections.repeat(end);
        } else {
            connections.post(end, AnswerMads.drep(end.transactionId, end.localId, end.remoteId, PrivateData.none()));
        }
    }

    private void drep(byte[] mad, int address, long nowNanos) {
        RemoteEnd end = ends.find(RtuLayout.REMOTE_COMM_ID.getInt(mad), address);
        if (end == null
                || !isPeer(end, RtuLayout.LOCAL_COMM_ID.getInt(mad))
                || end.lastMessage != CmMessage.DREQ
                || !end.awaitsAnswer) {
            return;
        }
        connections.answered(end);
        if (end.user == null) {
            ends.remove(end);
        } else {
            deliver(end, ConnectionMessage.RECEIVE_DREP, MessageContent.of(RtuLayout.PRIVATE_DATA.get(mad)), nowNanos);
        }
    }

    /** The peer sent a message again that was dealt with: its answer is lost, or not there yet. */
    private void answerAgain(RemoteEnd end, CmMessage again) {
        CmMessage last = end.lastMessage;
        CmMessage answer = again == CmMessage.REQ ? CmMessage.REP : CmMessage.RTU;
        ConnectionState waits = again == CmMessage.REQ ? ConnectionState.REQ_RECEIVED : ConnectionState.REP_RECEIVED;
        if (last == answer || last == CmMessage.REJ) {
            connections.repeat(end);
        } else if (stateOf(end) == waits) {
            connections.post(end, AnswerMads.mra(end, again, SERVICE_TIMEOUT));
        }
    }

    /** Whether the peer calls its end so; who does not know that yet may hear it now. */
    private static boolean isPeer(RemoteEnd end, int remoteId) {
        return end.remoteId == 0 || end.remoteId == remoteId;
    }

    private static ConnectionState stateOf(RemoteEnd end) {
        RemoteUser user = end.user;
        return user == null ? ConnectionState.IDLE : user.state();
    }

    /** To its user, who is in a state that only an end with a user is in. */
    private static void deliver(RemoteEnd end, ConnectionMessage message, MessageContent content, long nowNanos) {
        Objects.requireNonNull(end.user).receive(message, content, nowNanos);
    }

    private static long transaction(byte[] mad) {
        return MadHeaderLayout.TRANSACTION_ID.get(mad);
    }
}
