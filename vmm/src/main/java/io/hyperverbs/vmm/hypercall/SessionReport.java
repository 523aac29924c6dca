package io.hyperverbs.vmm.hypercall;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the backend domain has of a domain, besides what is in the HCA's memory.
 *
 * @param quotas in the backend's order
 * @param cmIds by number, from the one asked for on
 * @param more whether there are ids behind the last one here
 * @param rejections what of its acts was rejected, in the backend's order
 * @param calls what it sent to the backend
 */
public record SessionReport(
        List<QuotaUse> quotas, List<CmId> cmIds, boolean more, List<Rejection> rejections, Calls calls) {
    public SessionReport {
        quotas = List.copyOf(quotas);
        cmIds = List.copyOf(cmIds);
        rejections = List.copyOf(rejections);
    }

    /** How much of a quota is in use; {@code quota} is its name in topologies. */
    public record QuotaUse(String quota, long used) {}

    /**
     * How many messages came from the domain, whatever became of them.
     *
     * @param control privileged verbs
     * @param data of the forwarded data path; none on bypass
     */
    public record Calls(long control, long data) {}

    /** How often an act of the domain was rejected; {@code act} is its name in statistics. */
    public record Rejection(String act, long count) {}

    /**
     * A listener of the connection manager, or one end of a connection.
     *
     * @param number unlike any other of the machine, from 1
     * @param state its state in IBA 12.9.7; {@code LISTEN} for a listener
     * @param qpn 0: none yet, as {@code remoteQpn}
     * @param serviceId listened to; 0 for an end
     */
    public record CmId(
            int number,
            String state,
            boolean passive,
            int qpn,
            int remoteQpn,
            String sourceGid,
            long serviceId,
            @Nullable Peer peer) {}

    /** Where an end leads: a guest by name and GID. */
    public record Peer(String name, String gid) {}
}
