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
import io.hyperverbs.toolstack.cli.CliEnvironment;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code hv start-caches}: the build's last step. Runs a machine whose VMM and domains note what
 * their {@link StartCache} is made of; this process writes its own, by the options that the script
 * gives it.
 */
@Command(
        name = StartCachesCommand.NAME,
        hidden = true,
        description = "Makes the files from which our processes start faster; part of the build.")
public final class StartCachesCommand extends HvCommand {
    public static final String NAME = "start-caches";

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
        String name = "start-" + ProcessHandle.current().pid();
        Topology topology = new Topology(name, HcaSpec.standard(), List.of(), List.of(), description(name));
        RunningMachine machine = launcher.start(topology, Map.of(), mode);
        try {
            look(name);
            new DomainProgram(launcher, machine, PATIENCE)
                    .run(CheckedPath.BYPASS.guest(), InstalledPrograms.of(ConformanceProgram.class, WORK), _ -> {});
        } finally {
            Launch.takeDown(machine);
            machine.close();
        }
        noting.makeStartCaches();
        return ExitCode.OK.number();
    }

    /** Its like is read by commands that look at a machine. */
    private static String description(String name) {
        return """
            apiVersion: hv/v1
            name: %s
            hca: { ports: 1 }
            guests: { a: { memory: 64MiB, weight: 1 } }
            """.formatted(name);
    }

    /** Runs what users run on a machine, so that its classes are in the files too. */
    private void look(String name) throws HvException {
        List<Function<CommandContext, HvCommand>> commands = List.of(PsCommand::new, InspectCommand::new);
        for (String format : List.of("table", "json")) {
            for (Function<CommandContext, HvCommand> command : commands) {
                CommandContext silent = silent();
                CommandLine line = new CommandLine(command.apply(silent));
                line.addMixin("options", silent.options());
                line.setCaseInsensitiveEnumValuesAllowed(true);
                int exit = line.execute("-t", name, "--format", format);
                if (exit != ExitCode.OK.number()) {
                    String what = "no start caches: hv " + line.getCommandName() + " ends with " + exit;
                    throw new HvException(ExitCode.FAILURE, what, "");
                }
            }
        }
    }

    private CommandContext silent() {
        CliEnvironment here = context().environment();
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return new CommandContext(
                new CliEnvironment(nowhere, nowhere, here.environment(), here.folder(), here.screen()));
    }
}
