package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Says which HCAs of a machine are gone while it goes on with others, and which guests went with
 * them; each once.
 */
final class LostHcas {
    private final CommandContext context;
    private final Set<String> told = new HashSet<>();

    LostHcas(CommandContext context) {
        this.context = context;
    }

    /** Looks at all domains of the machine. */
    void look(List<DomainReport> domains) {
        for (DomainReport domain : domains) {
            if (domain.kind() == DomainKind.BACKEND && domain.state().ended() && told.add(domain.hca())) {
                List<String> guests = domains.stream()
                        .filter(guest -> guest.hca().equals(domain.hca()) && guest.kind() != DomainKind.BACKEND)
                        .map(DomainReport::name)
                        .toList();
                context.note("HCA " + domain.hca() + " is gone: its device domain ended with exit code "
                        + domain.exitCode()
                        + (guests.isEmpty() ? "" : "; with it went " + String.join(", ", guests)));
            }
        }
    }
}
