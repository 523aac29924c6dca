package io.hyperverbs.backend.management;

import io.hyperverbs.backend.cm.ConnectionMessage;
import io.hyperverbs.backend.cm.ConnectionMoves;
import io.hyperverbs.backend.cm.ConnectionMoves.Move;
import io.hyperverbs.backend.cm.ConnectionState;
import io.hyperverbs.backend.cm.Deadlines;
import io.hyperverbs.backend.cm.MessageContent;
import io.hyperverbs.backend.management.CmObject.Channel;
import io.hyperverbs.backend.management.CmObject.Connection;
import io.hyperverbs.backend.management.CmObject.Listener;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.vmm.io.ManagementRequest.Accept;
import io.hyperverbs.vmm.io.ManagementRequest.Answer;
import io.hyperverbs.vmm.io.ManagementRequest.Connect;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages between the two ends of connections. Both ends live here, so that a message
 * arrives at once, exactly once; what can be late is the programs. Under the lock of {@link
 * Management}.
 */
final class Connections {
    private final Subnet subnet;
    private final Deadlines<Connection> deadlines = new Deadlines<>();

    Connections(Subnet subnet) {
        this.subnet = subnet;
    }

    Deadlines<Connection> deadlines() {
        return deadlines;
    }

    Listener listen(CmSession owner, Channel channel, long serviceId, int backlog) throws Refusal {
        if (serviceId == 0 || backlog < 1 || backlog > ConnectionLimits.MAX_BACKLOG) {
            throw ConnectionLimits.invalid("service id "
                    + serviceId
                    + " with backlog "
                    + backlog
                    + ", must be 1 to "
                    + ConnectionLimits.MAX_BACKLOG);
        }
        if (owner.listeners.containsKey(serviceId)) {
            throw new Refusal(VerbsStatus.EBUSY, "service id 0x" + Long.toHexString(serviceId) + " has a listener");
        }
        owner.checkRoom(QuotaKind.CM);
        Listener listener = new Listener(owner, channel, serviceId, backlog);
        owner.listeners.put(serviceId, listener);
        channel.users++;
        owner.add(listener);
        return listener;
    }

    Connection resolve(CmSession owner, Channel channel, CmSession destination) throws Refusal {
        owner.checkRoom(QuotaKind.CM);
        return add(owner, channel, destination);
    }

    void connect(Connection from, Connect request, long nowNanos) throws Refusal {
        ConnectionLimits.check(request.offer(), request.responseNanos());
        ConnectionLimits.check("REQ", request.data(), PrivateData.REQ_BYTES);
        if (request.serviceId() == 0 || from.passive) {
            throw ConnectionLimits.invalid("service id 0, or the end that was called");
        }
        if (CmEvents.has(from)) {
            throw new Refusal(VerbsStatus.EBUSY, "events of the connection are unread");
        }
        offer(from, request.offer(), request.responseNanos());
        move(from, ConnectionMessage.SEND_REQ, MessageContent.NOTHING, nowNanos);
        CmSession to = subnet.find(from.destination.session);
        if (to == null) {
            deliver(from, ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
            return;
        }
        Listener listener = to.listeners.get(request.serviceId());
        RejectReason rejected = rejectionOf(from, to, listener, request, nowNanos);
        if (listener == null || rejected != RejectReason.NONE) {
            deliver(from, ConnectionMessage.RECEIVE_REJ, MessageContent.reject(rejected, PrivateData.none()), nowNanos);
            return;
        }
        Connection called = add(to, listener.channel, from.owner);
        called.passive = true;
        called.asked = request.offer().type();
        called.listener = listener;
        listener.waiting++;
        called.peer = from;
        from.peer = called;
        deliver(
                called,
                ConnectionMessage.RECEIVE_REQ,
                new MessageContent(request.offer(), request.data(), RejectReason.NONE, request.serviceId()),
                nowNanos);
    }

    void accept(Connection called, Accept request, long nowNanos) throws Refusal {
        ConnectionLimits.check(request.offer(), request.responseNanos());
        ConnectionLimits.check("REP", request.data(), PrivateData.REP_BYTES);
        if (ConnectionMoves.find(called.state, ConnectionMessage.SEND_REP) == null) {
            throw refused(called, ConnectionMessage.SEND_REP);
        }
        if (called.asked != request.offer().type()) {
            throw ConnectionLimits.invalid(request.offer().type() + " queue pair for a call of " + called.asked);
        }
        offer(called, request.offer(), request.responseNanos());
        move(
                called,
                ConnectionMessage.SEND_REP,
                new MessageContent(request.offer(), request.data(), RejectReason.NONE, 0),
                nowNanos);
    }

    void answer(Connection connection, Answer request, long nowNanos) throws Refusal {
        PrivateData data = request.data();
        switch (request.kind()) {
            case RTU -> {
                ConnectionLimits.check("RTU", data, PrivateData.RTU_BYTES);
                move(connection, ConnectionMessage.SEND_RTU, MessageContent.of(data), nowNanos);
            }
            case REJ -> {
                ConnectionLimits.check("REJ", data, PrivateData.REJ_BYTES);
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
        deliver(
                connection,
                ConnectionMessage.EXPIRE,
                MessageContent.reject(RejectReason.TIMEOUT, PrivateData.none()),
                nowNanos);
    }

    /** Requests that nobody has read are rejected; the others are the program's already. */
    void close(Listener listener, long nowNanos) {
        for (CmObject object : listener.owner.objects()) {
            if (object instanceof Connection called && listener.equals(called.listener) && CmEvents.has(called)) {
                drop(called, RejectReason.INVALID_SERVICE_ID, nowNanos);
            }
        }
        listener.owner.listeners.remove(listener.serviceId);
        listener.channel.users--;
        listener.owner.remove(listener);
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
        forget(connection);
        if (peer != null) {
            deliver(peer, ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
        }
    }

    private void drop(Connection connection, RejectReason reason, long nowNanos) {
        Connection peer = connection.peer;
        ConnectionState state = connection.state;
        forget(connection);
        if (peer == null) {
            return;
        }
        MessageContent reject = MessageContent.reject(reason, PrivateData.none());
        switch (state) {
            case REQ_SENT, REQ_RECEIVED, REP_SENT, REP_RECEIVED ->
                deliver(peer, ConnectionMessage.RECEIVE_REJ, reject, nowNanos);
            case ESTABLISHED -> deliver(peer, ConnectionMessage.RECEIVE_DREQ, MessageContent.NOTHING, nowNanos);
            case DREQ_RECEIVED -> deliver(peer, ConnectionMessage.RECEIVE_DREP, MessageContent.NOTHING, nowNanos);
            case IDLE, DREQ_SENT, TIMEWAIT -> {}
        }
    }

    private RejectReason rejectionOf(
            Connection from, CmSession to, @Nullable Listener listener, Connect request, long nowNanos) {
        if (listener == null) {
            return RejectReason.INVALID_SERVICE_ID;
        }
        for (CmObject object : to.objects()) {
            if (object instanceof Connection old
                    && old.destination.equals(from.owner)
                    && old.remoteQpn == request.offer().qpn()
                    && old.state != ConnectionState.IDLE
                    && !old.equals(from)) {
                // The peer would not connect again if it still had the old connection (IBA 12.9.8.3.1).
                Connection oldPeer = old.peer;
                deliver(old, ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
                if (oldPeer != null) {
                    deliver(oldPeer, ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
                }
                return RejectReason.STALE_CONN;
            }
        }
        if (listener.waiting >= listener.backlog) {
            Connection tooMany = BacklogShares.callToReject(listener, from.owner);
            if (tooMany == null) {
                return RejectReason.NO_RESOURCES;
            }
            reject(tooMany, nowNanos);
        }
        return to.hasRoom() ? RejectReason.NONE : RejectReason.NO_RESOURCES;
    }

    /** Makes room in a backlog: its caller is rejected, as if it had called a moment later. */
    private void reject(Connection called, long nowNanos) {
        Connection caller = called.peer;
        MessageContent reject = MessageContent.reject(RejectReason.NO_RESOURCES, PrivateData.none());
        deliver(called, ConnectionMessage.RECEIVE_REJ, reject, nowNanos);
        if (caller != null) {
            deliver(caller, ConnectionMessage.RECEIVE_REJ, reject, nowNanos);
        }
    }

    private Connection add(CmSession owner, Channel channel, CmSession destination) {
        PathRecord path = subnet.path(owner.gid, destination.gid);
        Connection connection = new Connection(owner, channel, destination, path);
        channel.users++;
        owner.add(connection);
        return connection;
    }

    private static void offer(Connection connection, CmOffer offer, long responseNanos) {
        if (connection.state == ConnectionState.IDLE || connection.state == ConnectionState.REQ_RECEIVED) {
            connection.qpn = offer.qpn();
            connection.ackTimeout = offer.ackTimeout();
            connection.responseNanos = responseNanos;
        }
    }

    /** A message of the program's; EINVAL where the table has no move. */
    private void move(Connection connection, ConnectionMessage message, MessageContent content, long nowNanos)
            throws Refusal {
        if (!step(connection, message, content, nowNanos)) {
            throw refused(connection, message);
        }
    }

    /** A message that may be late: where the table has no move nothing happens. */
    private void deliver(Connection connection, ConnectionMessage message, MessageContent content, long nowNanos) {
        if (connection.state == ConnectionState.REQ_RECEIVED
                && (message == ConnectionMessage.RECEIVE_REJ || message == ConnectionMessage.PEER_GONE)
                && CmEvents.has(connection)) {
            // Its one event is the call: withdrawn before anybody knew.
            forget(connection);
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
        if (message == ConnectionMessage.RECEIVE_REQ || message == ConnectionMessage.RECEIVE_REP) {
            connection.remoteQpn = content.offer().qpn();
        }
        if (move.event() != null) {
            CmEvents.raise(connection, move.event(), status(from, message), content);
        }
        if (move.toPeer() != null && peer != null) {
            deliver(peer, move.toPeer(), content, nowNanos);
        }
        if (move.to() == ConnectionState.IDLE) {
            unlink(connection);
        }
        return true;
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
            case REQ_SENT, REP_SENT, DREQ_SENT -> deadlines.set(connection, nowNanos + connection.responseNanos);
            case TIMEWAIT ->
                deadlines.set(connection, nowNanos + ConnectionLimits.timewaitNanos(connection.ackTimeout));
            case IDLE, REQ_RECEIVED, REP_RECEIVED, ESTABLISHED, DREQ_RECEIVED -> deadlines.clear(connection);
        }
    }

    private void forget(Connection connection) {
        deadlines.clear(connection);
        leaveBacklog(connection);
        unlink(connection);
        CmEvents.drop(connection);
        connection.channel.users--;
        connection.owner.remove(connection);
    }

    private static void leaveBacklog(Connection connection) {
        Listener listener = connection.listener;
        if (listener != null && connection.state == ConnectionState.REQ_RECEIVED) {
            listener.waiting--;
            connection.listener = null;
        }
    }

    private static void unlink(Connection connection) {
        Connection peer = connection.peer;
        connection.peer = null;
        if (peer != null) {
            peer.peer = null;
        }
    }

    private static Refusal refused(Connection connection, ConnectionMessage message) {
        return ConnectionLimits.invalid(message + " in " + connection.state);
    }
}
