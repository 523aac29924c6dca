package io.hyperverbs.backend.management;

import io.hyperverbs.backend.management.CmObject.Connection;
import io.hyperverbs.backend.management.CmObject.Listener;
import io.hyperverbs.vmm.hypercall.SessionReport.CmId;
import io.hyperverbs.vmm.hypercall.SessionReport.Peer;
import org.jspecify.annotations.Nullable;

/** Listeners and ends of connections as the operator sees them; their handles stay unsaid. */
final class CmIds {
    private static final String LISTEN = "LISTEN";

    private CmIds() {}

    /** Null for what is no id. */
    static @Nullable CmId of(CmObject object) {
        return switch (object) {
            case Listener listener ->
                new CmId(listener.number, LISTEN, true, 0, 0, listener.owner.gid.toString(), listener.serviceId, null);
            case Connection end ->
                new CmId(
                        end.number,
                        end.state.name(),
                        end.passive,
                        end.qpn,
                        end.remoteQpn,
                        end.owner.gid.toString(),
                        0,
                        new Peer(end.destination.name(), end.destination.gid().toString()));
            case CmObject.OfContext _ -> null;
        };
    }
}
