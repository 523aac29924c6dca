package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.TopologyLoader;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.List;

/** The HCA of a running machine. */
final class MachineHca {
    /**
     * What can be seen of it.
     *
     * @param description what the machine was started with
     */
    record Seen(String name, HcaView hca, List<DomainReport> domains, String description) {}

    private MachineHca() {}

    /**
     * Reads it.
     *
     * @throws HvException NOT_FOUND while the device domain is not up
     */
    static Seen of(RunningMachine machine) throws HvException, MachineException {
        MachineReport status = machine.client().status();
        HcaView hca = HcaView.read(machine.client());
        if (!hca.isThere()) {
            throw new HvException(ExitCode.NOT_FOUND, machine.folder().name() + " has no HCA yet", "try again");
        }
        return new Seen(name(status.description()), hca, status.domains(), status.description());
    }

    /** The HCA's name in the topology. */
    private static String name(String description) {
        try {
            return TopologyLoader.parse("description", description, new LabPrograms())
                    .hca()
                    .name();
        } catch (HvException e) {
            // A machine of hv bench or hv run: its text is a sentence, its HCA the standard one.
            return HcaSpec.standard().name();
        }
    }

    /** Refuses a port that the HCA has not; 0 stands for all of them. */
    static void checkPort(Seen seen, int port) throws HvException {
        int count = seen.hca().portCount();
        if (port < 0 || port > count) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    "no port " + port + " on " + seen.name(),
                    count == 1 ? "it has port 1" : "it has ports 1 to " + count);
        }
    }
}
