package io.hyperverbs.toolstack.commands;

import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The quotas of a domain, as the topology that its machine was started from has them. */
final class Quotas {
    private Quotas() {}

    /**
     * Adds {@code path}, {@code weight}, {@code rate} and the quotas; registered memory in bytes.
     *
     * @param description what the machine was started with; domains that came later have the
     *     standard quotas
     */
    static void addTo(ObjectNode node, String description, String domain, long memoryBytes) {
        Guest guest = guest(description, domain, memoryBytes);
        node.put("data_path", guest.path()).put("weight", guest.weight());
        ObjectNode rate = node.putObject("rate");
        rate.put("bytes_per_second", limit(guest.share().bytesPerSecond()));
        rate.put("messages_per_second", limit(guest.share().messagesPerSecond()));
        Quota all = guest.allQuotas();
        ObjectNode quota = node.putObject("quota");
        for (QuotaKind kind : QuotaKind.values()) {
            quota.put(kind.key(), all.max(kind));
        }
    }

    private static @Nullable Long limit(long perSecond) {
        return perSecond == 0 ? null : perSecond;
    }

    /** What a domain gets of the engine. */
    static Guest.Share share(String description, String domain) {
        return find(description, domain).map(Guest::share).orElse(Guest.Share.STANDARD);
    }

    /** The quotas of a domain. */
    static Quota of(String description, String domain, long memoryBytes) {
        return guest(description, domain, memoryBytes).allQuotas();
    }

    private static Guest guest(String description, String domain, long memoryBytes) {
        return find(description, domain).orElse(Guest.named(domain).withMemory(memoryBytes));
    }

    private static Optional<Guest> find(String description, String domain) {
        try {
            Topology topology = TopologyLoader.parse("description", description, new LabPrograms());
            return topology.guests().stream()
                    .filter(g -> g.name().equals(domain))
                    .findFirst();
        } catch (HvException e) {
            // A machine of hv bench or hv run: its text is a sentence.
            return Optional.empty();
        }
    }
}
