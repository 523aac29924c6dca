package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;

/** Whether a domain is still there, and its log complete. */
final class DomainWatch {
    /** A pipe that is full is read in a tenth of a second, though guests that flood their console are read slowly. */
    private static final Duration OUTPUT = Duration.ofSeconds(5);

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

    /**
     * Waits until the logs of a guest that goes on have what was printed and traced before this call: a program's exit
     * code does not come by the pipe that its output comes by, and may be there first.
     */
    static void awaitOutput(CommandContext context, RunningMachine machine, String name) {
        try {
            if (!machine.client().awaitOutput(name, OUTPUT)) {
                context.note("the last lines of " + name + " may be missing, as its output is read slowly;"
                        + " hv logs " + name + " shows them later");
            }
        } catch (MachineException e) {
            // The machine is gone: its logs have all that they will.
        }
    }
}
