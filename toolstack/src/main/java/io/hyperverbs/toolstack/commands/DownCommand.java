package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.Desk;
import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.machine.Machine;
import io.hyperverbs.toolstack.machine.MachineFolder;
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

    public DownCommand(Desk desk) {
        super(desk);
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        Machines machines = new Machines(desk());
        List<MachineFolder> folders = all ? machines.allRunning() : List.of(machines.runningFolder());
        for (MachineFolder folder : folders) {
            try (Machine machine = Machine.attach(folder)) {
                machine.shutDown();
                desk().note(folder.name() + " is down");
            }
        }
        return ExitCode.OK.number();
    }
}
