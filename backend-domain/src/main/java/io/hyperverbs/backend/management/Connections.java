package io.hyperverbs.backend.management;

import io.hyperverbs.backend.cm.ConnectionMessage;
import io.hyperverbs.backend.cm.ConnectionMoves;
import io.hyperverbs.backend.cm.ConnectionMoves.Move;
import io.hyperverbs.backend.cm.ConnectionState;
import io.hyperverbs.backend.cm.Deadlines;
import io.hyperverbs.backend.cm.MessageContent;
import io.hyperverbs.backend.cm.RemoteConnections;
import io.hyperverbs.backend.cm.RemoteEnd;
import io.hyperverbs.backend.cm.RemoteUser;
import io.hyperverbs.backend.management.CmObject.Channel;
import io.hyperverbs.backend.management.CmObject.Connection;
import io.hyperverbs.backend.management.CmObject.Listener;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.vmm.io.ManagementRequest.Accept;
import io.hyperverbs.vmm.io.ManagementRequest.Answer;

/**
 * Moves ends of connections. Where both are of this HCA a message arrives at once, exactly once, and what can be late is
 * the programs; else it goes to the other HCA ({@link RemoteConnections}). Under the lock of {@link Management}.
 */
final class Connections {
    private final RemoteConnections remotes;
    private final Deadlines<Connection> deadlines = new Deadlines<>();

    Connections(RemoteConnections remotes) {
        this.remotes = remotes;
    }

    Deadlines<Connection> deadlines() {
        return deadlines;
    }

    /** An end that leads to {@code destination}; EAGAIN above the quota. */
    Connection resolve(CmSession owner, Channel channel, CmParty destination, PathRecord path) throws Refusal {
        owner.checkRoom(QuotaKind.CM);
        return add(owner, channel, destination, path);
    }

    Connection add(CmSession owner, Channel channel, CmParty destination, PathRecord path) {
        Connection connection = new Connection(owner, channel, destination, path);
        channel.users++;
        owner.add(connection);
        return connection;
    }

    void accept(Connection called, Accept request, long nowNanos) throws Refusal {
        ConnectionLimits.check(request.offer(), request.responseNanos());
        boolean isSidr = request.offer().type() == QpType.UD;
        ConnectionLimits.check(
                isSidr ? "SIDR_REP" : "REP",
                request.data(),
                isSidr ? PrivateData.SIDR_REP_BYTES : PrivateData.REP_BYTES);
        ConnectionMessage rep = isSidr ? ConnectionMessage.SEND_SIDR_REP : ConnectionMessage.SEND_REP;
        if (ConnectionMoves.find(called.state, rep) == null) {
            throw refused(called, rep);
        }
        if (called.asked != request.offer().type()) {
            throw ConnectionLimits.invalid(request.offer().type() + " queue pair for a call of " + called.asked);
        }
        offer(called, request.offer(), request.responseNanos());
        move(called, rep, new MessageContent(request.offer(), request.data(), RejectReason.NONE, 0), nowNanos);
    }

    void answer(Connection connection, Answer request, long nowNanos) throws Refusal {
        PrivateData data = request.data();
        switch (request.kind()) {
            case RTU -> {
                ConnectionLimits.check("RTU", data, PrivateData.RTU_BYTES);
                move(connection, ConnectionMessage.SEND_RTU, MessageContent.of(data), nowNanos);
            }
            case REJ -> {
                boolean isSidr = connection.state == ConnectionState.SIDR_REQ_RECEIVED;
                ConnectionLimits.check(
                        isSidr ? "SIDR_REP" : "REJ", data, isSidr ? PrivateData.SIDR_REP_BYTES : PrivateData.REJ_BYTES);
                move(
                        connection,
                        ConnectionMessage.SEND_REJ,
                        MessageContent.reject(RejectReason.CONSUMER_DEFINED, data),
                        nowNanos);
            }
            case DISCONNECT -> {
                boolean first = connection.state == ConnectionState.ESTABLISHED;
                ConnectionLimits.check(
                        first ? "DREQ" : "DREP", data, first ? PrivateData.DREQ_BYTES : PrivateData.DREP_BYTES);
                move(connection, ConnectionMessage.SEND_DISCONNECT, MessageContent.of(data), nowNanos);
            }
        }
    }

    void expire(Connection connection, long nowNanos) {
        boolean isCall = connection.state == ConnectionState.REQ_RECEIVED;
        deliver(
                connection,
                isCall ? ConnectionMessage.PEER_GONE : ConnectionMessage.EXPIRE,
                MessageContent.reject(RejectReason.TIMEOUT, PrivateData.none()),
                nowNanos);
    }

    /** The program lets the connection go: withdraws, rejects or disconnects. */
    void close(Connection connection, long nowNanos) {
        RejectReason reason =
                connection.state == ConnectionState.REQ_SENT ? RejectReason.TIMEOUT : RejectReason.CONSUMER_DEFINED;
        drop(connection, reason, nowNanos);
    }

    /** The session of this end is over. */
    void abandon(Connection connection, long nowNanos) {
        Connection peer = connection.peer;
        if (peer == null) {
            drop(connection, RejectReason.TIMEOUT, nowNanos);
            return;
        }
        forget(connection, nowNanos);
        deliver(peer, ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
    }

    /** Tells the peer what ends the connection, and forgets it. */
    void drop(Connection connection, RejectReason reason, long nowNanos) {
        MessageContent reject = MessageContent.reject(reason, PrivateData.none());
        switch (connection.state) {
            case REQ_SENT, REQ_RECEIVED, REP_SENT, REP_RECEIVED, SIDR_REQ_RECEIVED ->
                leave(connection, ConnectionMessage.RECEIVE_REJ, reject, nowNanos);
            case SIDR_REQ_SENT -> leave(connection, ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
            case ESTABLISHED -> leave(connection, ConnectionMessage.RECEIVE_DREQ, MessageContent.NOTHING, nowNanos);
            case DREQ_RECEIVED -> leave(connection, ConnectionMessage.RECEIVE_DREP, MessageContent.NOTHING, nowNanos);
            case IDLE, DREQ_SENT, TIMEWAIT -> forget(connection, nowNanos);
        }
    }

    private void leave(Connection connection, ConnectionMessage message, MessageContent content, long nowNanos) {
        Connection peer = connection.peer;
        tellRemote(connection, message, content, nowNanos);
        forget(connection, nowNanos);
        if (peer != null) {
            deliver(peer, message, content, nowNanos);
        }
    }

    /** Ends a call that nobody has answered, as if it had come a moment later. */
    void reject(Connection called, RejectReason reason, long nowNanos) {
        Connection caller = called.peer;
        MessageContent reject = MessageContent.reject(reason, PrivateData.none());
        tellRemote(called, ConnectionMessage.RECEIVE_REJ, reject, nowNanos);
        deliver(called, ConnectionMessage.RECEIVE_REJ, reject, nowNanos);
        if (caller != null) {
            deliver(caller, ConnectionMessage.RECEIVE_REJ, reject, nowNanos);
        }
    }

    static void offer(Connection connection, CmOffer offer, long responseNanos) {
        if (connection.state == ConnectionState.IDLE || connection.state.isCalled()) {
            connection.qpn = offer.qpn();
            connection.ackTimeout = offer.ackTimeout();
            connection.responseNanos = responseNanos;
        }
    }

    /** A message of the program's; EINVAL where the table has no move. */
    void move(Connection connection, ConnectionMessage message, MessageContent content, long nowNanos) throws Refusal {
        if (!step(connection, message, content, nowNanos)) {
            throw refused(connection, message);
        }
    }

    /** A message that may be late: where the table has no move nothing happens. */
    void deliver(Connection connection, ConnectionMessage message, MessageContent content, long nowNanos) {
        if (connection.state.isCalled()
                && (message == ConnectionMessage.RECEIVE_REJ || message == ConnectionMessage.PEER_GONE)
                && CmEvents.has(connection)) {
            // Its one event is the call: withdrawn before anybody knew.
            forget(connection, nowNanos);
            return;
        }
        var _ = step(connection, message, content, nowNanos);
    }

    /** The one place where the state changes. */
    private boolean step(Connection connection, ConnectionMessage message, MessageContent content, long nowNanos) {
        Move move = ConnectionMoves.find(connection.state, message);
        if (move == null) {
            return false;
        }
        Connection peer = connection.peer;
        leaveBacklog(connection);
        ConnectionState from = connection.state;
        connection.state = move.to();
        if (move.to() != from) {
            time(connection, nowNanos);
        }
        if (message == ConnectionMessage.RECEIVE_REQ
                || message == ConnectionMessage.RECEIVE_REP
                || message == ConnectionMessage.RECEIVE_SIDR_REP) {
            connection.remoteQpn = content.offer().qpn();
        }
        if (move.event() != null) {
            CmEvents.raise(connection, move.event(), status(from, message), content);
        }
        if (move.toPeer() != null && peer != null) {
            deliver(peer, move.toPeer(), content, nowNanos);
        } else if (move.toPeer() != null) {
            tellRemote(connection, move.toPeer(), content, nowNanos);
        }
        if (move.to() == ConnectionState.IDLE) {
            unlink(connection, nowNanos);
        }
        return true;
    }

    /** Sends a message to a peer on another HCA, if that is where it is. */
    void tellRemote(Connection connection, ConnectionMessage message, MessageContent content, long nowNanos) {
        RemoteEnd remote = connection.remote;
        if (remote != null) {
            remotes.send(remote, message, content, connection.responseNanos, nowNanos);
        }
    }

    private static VerbsStatus status(ConnectionState from, ConnectionMessage message) {
        return switch (message) {
            case RECEIVE_REJ -> VerbsStatus.ECONNREFUSED;
            case PEER_GONE -> VerbsStatus.ECONNRESET;
            case EXPIRE -> from == ConnectionState.TIMEWAIT ? VerbsStatus.SUCCESS : VerbsStatus.ETIMEDOUT;
            default -> VerbsStatus.SUCCESS;
        };
    }

    private void time(Connection connection, long nowNanos) {
        switch (connection.state) {
            case REQ_SENT, REP_SENT, DREQ_SENT, SIDR_REQ_SENT ->
                deadlines.set(connection, nowNanos + connection.responseNanos);
            case TIMEWAIT ->
                deadlines.set(connection, nowNanos + ConnectionLimits.timewaitNanos(connection.ackTimeout));
            case REQ_RECEIVED -> {
                if (connection.remote == null) {
                    deadlines.clear(connection);
                } else {
                    // Its HCA may be gone, which nobody would say.
                    deadlines.set(connection, nowNanos + ConnectionLimits.REMOTE_CALL_NANOS);
                }
            }
            case IDLE, REP_RECEIVED, ESTABLISHED, DREQ_RECEIVED, SIDR_REQ_RECEIVED -> deadlines.clear(connection);
        }
    }

    private void forget(Connection connection, long nowNanos) {
        deadlines.clear(connection);
        leaveBacklog(connection);
        unlink(connection, nowNanos);
        CmEvents.drop(connection);
        connection.channel.users--;
        connection.owner.remove(connection);
    }

    private static void leaveBacklog(Connection connection) {
        Listener listener = connection.listener;
        if (listener != null && connection.state.isCalled()) {
            listener.waiting--;
            connection.listener = null;
        }
    }

    private void unlink(Connection connection, long nowNanos) {
        Connection peer = connection.peer;
        connection.peer = null;
        if (peer != null) {
            peer.peer = null;
        }
        RemoteEnd remote = connection.remote;
        connection.remote = null;
        if (remote != null) {
            remotes.retire(remote, nowNanos);
        }
    }

    /** The end of a connection as messages of another HCA find it. */
    RemoteUser user(Connection connection) {
        return new RemoteUser() {
            @Override
            public ConnectionState state() {
                return connection.state;
            }

            @Override
            public void receive(ConnectionMessage message, MessageContent content, long nowNanos) {
                deliver(connection, message, content, nowNanos);
            }
        };
    }

    private static Refusal refused(Connection connection, ConnectionMessage message) {
        return ConnectionLimits.invalid(message + " in " + connection.state);
    }
}
