package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.conformance.catalogue.ConformanceProgram;
import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.run.check.DomainProgram;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.StartCache;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.progress.QuietProgress;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/**
 * {@code hv start-caches}: the build's last step. Runs a machine whose VMM and domains note what
 * their {@link StartCache} is made of; this process writes its own, by the options that the script
 * gives it.
 */
@Command(
        name = "start-caches",
        hidden = true,
        description = "Makes the files from which our processes start faster; part of the build.")
public final class StartCachesCommand extends HvCommand {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Quick ones, which load what nearly all programs do. */
    private static final List<String> WORK =
            List.of("channel.event-names-its-queue", "channel.event-on-write", "pd.close-names-queue-pair");

    public StartCachesCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        Path home = Installation.current().home();
        Installation noting = new Installation(home, true);
        Files.createDirectories(home.resolve(StartCache.FOLDER));
        noting.forgetStartCaches();
        // Works where there is no sandbox too; the program is ours.
        MachineLauncher.Mode mode = new MachineLauncher.Mode(false, true, Optional.empty(), PATIENCE);
        StateRoot root = StateRoot.of(context().environment().environment());
        MachineLauncher launcher = new MachineLauncher(noting, root, new QuietProgress());
        Topology topology = new Topology(
                "start-" + ProcessHandle.current().pid(), HcaSpec.standard(), List.of(), List.of(), "hv start-caches");
        RunningMachine machine = launcher.start(topology, Map.of(), mode);
        try {
            new DomainProgram(launcher, machine, PATIENCE)
                    .run(CheckedPath.BYPASS.guest(), InstalledPrograms.of(ConformanceProgram.class, WORK), _ -> {});
        } finally {
            Launch.takeDown(machine);
            machine.close();
        }
        noting.makeStartCaches();
        return ExitCode.OK.number();
    }
}
