package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.hosts.HostsFile;
import io.hyperverbs.launcher.hosts.HostsLauncher;
import io.hyperverbs.launcher.hosts.Launcher;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Starts topologies over several hosts. */
final class HostedLaunch {
    private static final int LOOPBACK = 127;

    private HostedLaunch() {}

    /**
     * Path of the script that this process was started by.
     *
     * @throws HvException FAILURE if there was none
     */
    static String script() throws HvException {
        String script = System.getProperty("hv.script", "");
        if (script.isEmpty()) {
            throw new HvException(ExitCode.FAILURE, "the path of hv is not known", "start hv by its script");
        }
        return script;
    }

    /** Starts {@code topology} with the programs it names; returns when all hosts are up. */
    static HostsFile start(
            CommandContext context, Topology topology, Path folder, @Nullable Launcher by, MachineLauncher.Mode mode)
            throws HvException, InterruptedException, IOException {
        try (WorkFolder work = WorkFolder.make();
                Progress progress = context.progress()) {
            HostsLauncher launcher = new HostsLauncher(new Machines(context).root(), script(), progress);
            return launcher.start(
                    topology,
                    topology.name(),
                    Launch.programs(Installation.current(), work, topology, folder),
                    chosen(topology, by),
                    mode);
        }
    }

    private static Launcher chosen(Topology topology, @Nullable Launcher by) throws HvException {
        boolean here = topology.hosts().all().stream().allMatch(host -> host.address() >>> 24 == LOOPBACK);
        if (by == null && !here) {
            throw new HvException(
                    ExitCode.USAGE,
                    topology.name() + " is on " + topology.hosts().all().size() + " hosts",
                    "say how to reach them: --launcher slurm, ssh or local");
        }
        return by == null ? Launcher.LOCAL : by;
    }
}
