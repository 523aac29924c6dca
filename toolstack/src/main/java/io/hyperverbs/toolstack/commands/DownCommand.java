package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.launcher.hosts.HostedTopology;
import io.hyperverbs.launcher.hosts.Launcher;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.util.ArrayList;
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
        int exit = ExitCode.OK.number();
        List<HostedTopology> hosted = new ArrayList<>();
        if (all) {
            for (MachineFolder folder : machines.allHosted()) {
                hosted.add(HostedTopology.of(machines.root(), folder));
            }
        } else {
            machines.hosted().ifPresent(hosted::add);
        }
        for (HostedTopology topology : hosted) {
            exit = Math.max(exit, down(topology));
        }
        if (!all && !hosted.isEmpty()) {
            return exit;
        }
        List<MachineFolder> folders = all ? machines.allRunning() : List.of(machines.runningFolder());
        for (MachineFolder folder : folders) {
            try (RunningMachine machine = RunningMachine.attach(folder)) {
                machine.shutDown();
                context().note(folder.name() + " is down");
            }
        }
        return exit;
    }

    /** Hosts that do not answer are said; the others go down all the same. */
    private int down(HostedTopology topology) throws HvException, IOException, InterruptedException {
        boolean pods = topology.launcher() == Launcher.KUBERNETES;
        List<String> silent = topology.down();
        if (silent.isEmpty()) {
            context().note(topology.name() + " is down on all hosts");
        } else {
            context().note(topology.name() + (pods ? " is forgotten" : " is down on the other hosts"));
        }
        if (pods) {
            context().note("kubectl delete -f FILE removes the objects of " + topology.name());
        }
        if (silent.isEmpty()) {
            return ExitCode.OK.number();
        }
        String hint = pods ? "its pod may not run" : "hv clean there removes what may be left";
        return context()
                .fail(new HvException(
                        ExitCode.FAILURE,
                        silent.stream().map(line -> Problem.of(line, hint)).toList()));
    }
}
