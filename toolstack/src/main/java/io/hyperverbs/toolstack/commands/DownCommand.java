package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hv down}. */
@Command(
        name = "down",
        description = "Ends a topology: its domains, its VMM and its state folder.",
        footer = {"  hv down", "  hv down -t pair", "  hv down --all"})
public final class DownCommand extends HvCommand {
    @Option(names = "--all", description = "All topologies of this user; none is no error.")
    boolean all;

    public DownCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        Machines machines = new Machines(context());
        List<MachineFolder> folders = all ? machines.allRunning() : List.of(machines.runningFolder());
        for (MachineFolder folder : folders) {
            try (RunningMachine machine = RunningMachine.attach(folder)) {
                machine.shutDown();
                context().note(folder.name() + " is down");
            }
        }
        return ExitCode.OK.number();
    }
}
