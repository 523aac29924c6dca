package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;

/** Whether a domain is still there. */
final class DomainWatch {
    private DomainWatch() {}

    /** Also true when the machine is gone. */
    static boolean hasEnded(RunningMachine machine, String name) {
        try {
            for (DomainReport domain : machine.client().status().domains()) {
                if (domain.name().equals(name)) {
                    return domain.state().ended();
                }
            }
            return true;
        } catch (MachineException e) {
            return true;
        }
    }
}
