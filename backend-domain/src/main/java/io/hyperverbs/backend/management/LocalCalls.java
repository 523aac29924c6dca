package io.hyperverbs.backend.management;

import io.hyperverbs.backend.cm.ConnectionMessage;
import io.hyperverbs.backend.cm.ConnectionState;
import io.hyperverbs.backend.cm.MessageContent;
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
import io.hyperverbs.vmm.io.ManagementRequest.Connect;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * REQs and SIDR_REQs to listeners of this HCA, from wherever they come, and REQs to other HCAs. Under the lock of {@link
 * Management}.
 */
final class LocalCalls {
    private final Subnet subnet;
    private final Connections connections;

    LocalCalls(Subnet subnet, Connections connections) {
        this.subnet = subnet;
        this.connections = connections;
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

    /** Requests that nobody has read are rejected; the others are the program's already. */
    void close(Listener listener, long nowNanos) {
        for (CmObject object : listener.owner.objects()) {
            if (object instanceof Connection called && listener.equals(called.listener) && CmEvents.has(called)) {
                connections.drop(called, RejectReason.INVALID_SERVICE_ID, nowNanos);
            }
        }
        listener.owner.listeners.remove(listener.serviceId);
        listener.channel.users--;
        listener.owner.remove(listener);
    }

    /** Sends the REQ or SIDR_REQ of a connection. */
    void connect(Connection from, Connect request, RemoteCalls remotes, long nowNanos) throws Refusal {
        ConnectionLimits.check(from, request);
        if (request.serviceId() == 0 || from.passive) {
            throw ConnectionLimits.invalid("service id 0, or the end that was called");
        }
        if (CmEvents.has(from)) {
            throw new Refusal(VerbsStatus.EBUSY, "events of the connection are unread");
        }
        Connections.offer(from, request.offer(), request.responseNanos());
        boolean isSidr = request.offer().type() == QpType.UD;
        connections.move(
                from,
                isSidr ? ConnectionMessage.SEND_SIDR_REQ : ConnectionMessage.SEND_REQ,
                MessageContent.NOTHING,
                nowNanos);
        switch (from.destination) {
            case CmParty.Remote to -> remotes.call(from, to.guest(), request, nowNanos);
            case CmSession to -> call(from, to, request, nowNanos);
        }
    }

    private void call(Connection from, CmSession destination, Connect request, long nowNanos) {
        CmSession to = subnet.find(destination.session);
        if (to == null) {
            connections.deliver(from, ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
            return;
        }
        MessageContent req =
                new MessageContent(request.offer(), request.data(), RejectReason.NONE, request.serviceId());
        PathRecord back = subnet.path(to.gid, from.owner.gid, to.session.pkeys().reaching(from.path.pkey()));
        RejectReason rejected = take(
                from,
                from.owner,
                to,
                back,
                req,
                called -> {
                    called.peer = from;
                    from.peer = called;
                },
                nowNanos);
        if (rejected != RejectReason.NONE) {
            connections.deliver(
                    from, ConnectionMessage.RECEIVE_REJ, MessageContent.reject(rejected, PrivateData.none()), nowNanos);
        }
    }

    /**
     * Puts a call before the guest that it is for.
     *
     * @param from the end that calls, if it is of this HCA
     * @param back path from the guest to its caller
     * @param linked joins the end that is called with its caller
     * @return NONE, or why it is rejected
     */
    RejectReason take(
            @Nullable Connection from,
            CmParty caller,
            CmSession to,
            PathRecord back,
            MessageContent req,
            Consumer<Connection> linked,
            long nowNanos) {
        Listener listener = to.listeners.get(req.serviceId());
        if (listener == null) {
            return RejectReason.INVALID_SERVICE_ID;
        }
        RejectReason rejected = rejectionOf(from, caller, to, listener, req.offer(), nowNanos);
        if (rejected != RejectReason.NONE) {
            return rejected;
        }
        Connection called = connections.add(to, listener.channel, caller, back);
        called.passive = true;
        called.asked = req.offer().type();
        called.listener = listener;
        listener.waiting++;
        linked.accept(called);
        boolean isSidr = req.offer().type() == QpType.UD;
        connections.deliver(
                called, isSidr ? ConnectionMessage.RECEIVE_SIDR_REQ : ConnectionMessage.RECEIVE_REQ, req, nowNanos);
        return RejectReason.NONE;
    }

    private RejectReason rejectionOf(
            @Nullable Connection from, CmParty caller, CmSession to, Listener listener, CmOffer offer, long nowNanos) {
        for (CmObject object : to.objects()) {
            // A queue pair of datagrams is in no connection.
            if (offer.type() != QpType.UD
                    && object instanceof Connection old
                    && old.destination.origin().equals(caller.origin())
                    && old.remoteQpn == offer.qpn()
                    && old.state != ConnectionState.IDLE
                    && !old.equals(from)
                    && isStale(old, nowNanos)) {
                return RejectReason.STALE_CONN;
            }
        }
        if (listener.waiting >= listener.backlog) {
            Connection tooMany = BacklogShares.callToReject(listener, caller);
            if (tooMany == null) {
                return RejectReason.NO_RESOURCES;
            }
            connections.reject(tooMany, RejectReason.NO_RESOURCES, nowNanos);
        }
        return to.hasRoom() ? RejectReason.NONE : RejectReason.NO_RESOURCES;
    }

    /**
     * Ends the connection of a queue pair that calls again: its peer would not do so if it still had the connection (IBA
     * 12.9.8.3.1). One of another HCA that has not been answered was withdrawn, and the message that said so is lost.
     */
    private boolean isStale(Connection old, long nowNanos) {
        boolean isWithdrawn = old.remote != null && old.state == ConnectionState.REQ_RECEIVED;
        if (old.state == ConnectionState.ESTABLISHED) {
            connections.tellRemote(old, ConnectionMessage.RECEIVE_DREQ, MessageContent.NOTHING, nowNanos);
        }
        Connection oldPeer = old.peer;
        connections.deliver(old, ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
        if (oldPeer != null) {
            connections.deliver(oldPeer, ConnectionMessage.PEER_GONE, MessageContent.NOTHING, nowNanos);
        }
        return !isWithdrawn;
    }
}
