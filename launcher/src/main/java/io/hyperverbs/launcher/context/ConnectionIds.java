package io.hyperverbs.launcher.context;

import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.QpContextLayout.Field;
import io.hyperverbs.launcher.output.Listing;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.hypercall.SessionReport;
import io.hyperverbs.vmm.hypercall.SessionReport.CmId;
import io.hyperverbs.vmm.hypercall.SessionReport.Peer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Listeners and ends of connections, which live in the backend domain. {@code state} is rdma_cm's,
 * as iproute2 prints it; {@code cm-state} is that of IBA 12.9.7.
 */
final class ConnectionIds implements Resource {
    private static final List<String> COLUMNS = List.of(
            "link",
            "cm-idn",
            "lqpn",
            "rqpn",
            "qp-type",
            "state",
            "cm-state",
            "ps",
            "src-addr",
            "service-id",
            "dst-addr",
            "peer",
            "pid",
            "comm");

    @Override
    public String word() {
        return "cm_id";
    }

    @Override
    public Listing list(Inventory inventory) throws MachineException {
        Listing listing = new Listing(Resources.SCHEMA, word(), COLUMNS);
        for (DomainReport domain : inventory.guests()) {
            int after = 0;
            boolean more = true;
            while (more) {
                SessionReport report = report(inventory, domain, after);
                for (CmId id : report.cmIds()) {
                    listing.row(row(inventory, domain, id));
                    after = id.number();
                }
                more = report.more();
            }
        }
        return listing;
    }

    /** A domain may have ended by now; then it has nothing. */
    private static SessionReport report(Inventory inventory, DomainReport domain, int after) throws MachineException {
        try {
            return inventory.sessions().of(domain.name(), after);
        } catch (MachineException e) {
            if (e.status() == VerbsStatus.ENOENT) {
                return new SessionReport(List.of(), List.of(), false, List.of(), new SessionReport.Calls(0, 0));
            }
            throw e;
        }
    }

    private static List<@Nullable Object> row(Inventory inventory, DomainReport domain, CmId id) {
        Peer peer = id.peer();
        return Arrays.asList(
                // Whoever listens does so at every port; connections are those of port 1.
                inventory.name() + (peer == null ? "/-" : "/1"),
                id.number(),
                id.qpn() == 0 ? null : id.qpn(),
                id.remoteQpn() == 0 ? null : id.remoteQpn(),
                type(inventory, id.qpn()),
                word(id),
                id.state(),
                "IB",
                id.sourceGid(),
                peer == null ? "0x" + Long.toHexString(id.serviceId()) : null,
                peer == null ? null : peer.gid(),
                peer == null ? null : peer.name(),
                domain.pid() == 0 ? null : domain.pid(),
                domain.name());
    }

    private static @Nullable String type(Inventory inventory, int qpn) {
        for (long offset : inventory.hca().entries(Table.QP)) {
            Entry entry = new Entry(inventory.hca().memory(), offset, "", List.of());
            if (Resources.get(entry, Field.QPN) == qpn) {
                return Resources.type(Resources.get(entry, Field.TYPE));
            }
        }
        return null;
    }

    private static String word(CmId id) {
        return switch (id.state()) {
            case "LISTEN" -> "LISTEN";
            // Resolved, and nothing asked for yet.
            case "IDLE" -> "ROUTE_RESOLVED";
            case "DREQ_SENT", "DREQ_RECEIVED", "TIMEWAIT" -> "DISCONNECT";
            default -> "CONNECT";
        };
    }
}
