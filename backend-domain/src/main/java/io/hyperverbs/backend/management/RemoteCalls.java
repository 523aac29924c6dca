package io.hyperverbs.backend.management;

import io.hyperverbs.backend.cm.CallVerdict;
import io.hyperverbs.backend.cm.Callee;
import io.hyperverbs.backend.cm.IncomingCall;
import io.hyperverbs.backend.cm.MessageContent;
import io.hyperverbs.backend.cm.OutgoingCall;
import io.hyperverbs.backend.cm.RemoteConnections;
import io.hyperverbs.backend.cm.RemoteEnd;
import io.hyperverbs.backend.management.CmObject.Connection;
import io.hyperverbs.backend.management.CmObject.Listener;
import io.hyperverbs.backend.sa.Asker;
import io.hyperverbs.backend.sa.GuestDirectory;
import io.hyperverbs.backend.sa.GuestLookup;
import io.hyperverbs.backend.sa.RemoteGuest;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.vmm.io.ManagementRequest.Connect;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * REQs between HCAs. Between HCAs of the topology the GIDs in a REQ are those of the guests, as an HCA with virtual
 * functions has them; between others they are those of the ports, and a call is for the guest that has listened longest
 * (docs/adr/0041). Under the lock of {@link Management}.
 */
final class RemoteCalls implements Callee {
    private final Subnet subnet;
    private final Connections connections;
    private final LocalCalls calls;
    private final RemoteConnections remotes;
    private final GuestDirectory directory;

    /** One for each HCA of the topology that calls, which looks for the name of the guest that does. */
    private final Map<Integer, Asker> askers = new HashMap<>();

    RemoteCalls(
            Subnet subnet,
            Connections connections,
            LocalCalls calls,
            RemoteConnections remotes,
            GuestDirectory directory) {
        this.subnet = subnet;
        this.connections = connections;
        this.calls = calls;
        this.remotes = remotes;
        this.directory = directory;
    }

    /** Sends a REQ to another HCA. */
    void call(Connection from, RemoteGuest to, Connect request, long nowNanos) {
        boolean isPort = to.gid().isIpv4();
        OutgoingCall call = new OutgoingCall(
                to.address(),
                from.path.destinationLid(),
                isPort ? from.path.sourceGid() : from.owner.gid,
                to.gid(),
                request.serviceId(),
                request.offer(),
                from.path.pkey(),
                from.path.mtuBytes(),
                request.responseNanos(),
                request.data());
        from.remote = remotes.call(connections.user(from), call, ManagementDatagram.QPN, nowNanos);
    }

    @Override
    public CallVerdict called(RemoteEnd end, IncomingCall call, long nowNanos) {
        CmSession to = guest(call);
        if (to == null) {
            boolean isPort = subnet.isOwnPort(call.callee());
            return CallVerdict.of(isPort ? RejectReason.INVALID_SERVICE_ID : RejectReason.INVALID_GID);
        }
        GuestLookup caller = caller(call, nowNanos);
        RemoteGuest from = caller.guest();
        if (from == null) {
            boolean isAsked = caller.state() != GuestLookup.State.NOBODY;
            return isAsked ? CallVerdict.LATER : CallVerdict.of(RejectReason.INVALID_GID);
        }
        RejectReason reason = calls.take(
                null,
                new CmParty.Remote(from),
                to,
                subnet.path(from, to.session.pkeys().reaching(call.pkey()), call.mtuBytes()),
                new MessageContent(call.offer(), call.data(), RejectReason.NONE, call.serviceId()),
                called -> {
                    called.remote = end;
                    end.takenBy(connections.user(called));
                },
                nowNanos);
        return CallVerdict.of(reason);
    }

    /** The guest that the call is for; null if there is none, or none that its P_Key reaches. */
    private @Nullable CmSession guest(IncomingCall call) {
        if (subnet.isOwnPort(call.callee())) {
            Listener listener = subnet.oldestListener(call.serviceId(), call.pkey());
            return listener == null ? null : listener.owner;
        }
        CmSession called = subnet.byGid(call.callee());
        return called == null || called.session.pkeys().reaching(call.pkey()) == 0 ? null : called;
    }

    /** Who calls: the HCA itself if it says no guest's GID, and it must be a GID that belongs to its address. */
    private GuestLookup caller(IncomingCall call, long nowNanos) {
        Gid gid = call.caller();
        if (gid.isIpv4() && gid.ipv4() == call.address()) {
            return GuestLookup.found(subnet.hca(call.address()));
        }
        if (gid.isIpv4() || !subnet.isOf(gid, call.address())) {
            return GuestLookup.NOBODY;
        }
        Asker asker = askers.computeIfAbsent(call.address(), _ -> new Asker());
        return directory.byGid(asker, gid, nowNanos);
    }
}
