package io.hyperverbs.vmm.control;

import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.FaultCounts;
import io.hyperverbs.vmm.envelope.GroupsFound;
import java.util.List;

/**
 * What there is to say of a machine.
 *
 * @param sandboxTier of its guests, as {@code SandboxTier.label()}
 * @param groups what limits guests besides their sandbox
 * @param description the toolstack's own text, as given at start
 * @param faults how far its schedule of faults is
 */
public record MachineReport(
        String topology,
        long vmmPid,
        String sandboxTier,
        GroupsFound groups,
        List<DomainReport> domains,
        String description,
        FaultCounts faults) {
    public MachineReport {
        domains = List.copyOf(domains);
    }
}
