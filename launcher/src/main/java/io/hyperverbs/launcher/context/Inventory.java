package io.hyperverbs.launcher.context;

import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.hypercall.SessionReport;
import java.util.List;

/**
 * Where objects are looked for: the HCA's memory, and what the backend domain has of each domain.
 *
 * @param name of the HCA
 */
public record Inventory(HcaView hca, String name, List<DomainReport> domains, Sessions sessions) {
    /** Asks the backend domain. */
    @FunctionalInterface
    public interface Sessions {
        /** What it has of a domain; {@code after}: ids with larger numbers only. */
        SessionReport of(String domain, int after) throws MachineException;
    }

    public Inventory {
        domains = List.copyOf(domains);
    }

    /** The domains that the backend can have something of. */
    List<DomainReport> guests() {
        return domains.stream()
                .filter(domain -> domain.kind() != DomainKind.BACKEND)
                .filter(domain -> domain.state() == DomainState.RUNNING)
                .toList();
    }
}
