package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.run.check.DomainProgram;
import io.hyperverbs.lab.run.isolate.AttackedMachine;
import io.hyperverbs.lab.run.walk.WalkDomains;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.ShutdownHooks;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.progress.QuietProgress;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A machine without guests, for checks that start their own. Closing takes it down. */
final class CheckMachine implements AutoCloseable {
    /** How long one program may take: a walk of ten million steps on a slow path. */
    private static final Duration STANDARD_LIMIT = Duration.ofHours(12);

    private final RunningMachine machine;
    private final MachineLauncher launcher;
    private final DomainProgram domains;
    private final Duration limit;
    private final Thread hook;

    private CheckMachine(RunningMachine machine, MachineLauncher launcher, Duration limit) {
        this.machine = machine;
        this.launcher = launcher;
        this.domains = new DomainProgram(launcher, machine, limit);
        this.limit = limit;
        this.hook = new Thread(() -> Launch.takeDown(machine), "take-down");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static CheckMachine start(CommandContext context, LaunchOptions launch) throws HvException, InterruptedException {
        return start(context, launch, HcaSpec.standard());
    }

    /** The same with an HCA of one's own. */
    static CheckMachine start(CommandContext context, LaunchOptions launch, HcaSpec hca)
            throws HvException, InterruptedException {
        try (Progress progress = context.progress()) {
            return start(context, launch, hca, progress);
        }
    }

    private static CheckMachine start(CommandContext context, LaunchOptions launch, HcaSpec hca, Progress progress)
            throws HvException, InterruptedException {
        Installation installation = Installation.current();
        StateRoot root = StateRoot.of(context.environment().environment());
        Topology topology =
                new Topology("check-" + ProcessHandle.current().pid(), hca, List.of(), List.of(), "hv check");
        RunningMachine machine = new MachineLauncher(installation, root, progress)
                .start(topology, Map.of(), Launch.mode(context, false, launch));
        MachineLauncher quiet = new MachineLauncher(installation, root, new QuietProgress());
        return new CheckMachine(machine, quiet, context.options().timeoutOr(STANDARD_LIMIT));
    }

    DomainProgram domains() {
        return domains;
    }

    /** Starts victims with traffic; the machine takes them down. */
    AttackedMachine attacked() throws HvException, InterruptedException {
        return attacked(0);
    }

    /**
     * The same with victims that work.
     *
     * @param loadPercent of what they make at full speed
     */
    AttackedMachine attacked(int loadPercent) throws HvException, InterruptedException {
        return AttackedMachine.start(launcher, machine, limit, loadPercent);
    }

    /** Starts the domains of a walk; the machine takes them down. */
    WalkDomains walk(List<CheckedPath> paths) throws HvException {
        return WalkDomains.start(launcher, machine, paths);
    }

    /** The paths named on the command line, in the order of columns; all if none is. */
    static List<CheckedPath> paths(List<String> words) throws HvException {
        List<String> known =
                Arrays.stream(CheckedPath.values()).map(CheckedPath::word).toList();
        for (String given : words) {
            if (!known.contains(given)) {
                throw new HvException(
                        ExitCode.USAGE,
                        "--path " + given + ", must be one of " + String.join(", ", known),
                        Suggestion.hint(given, known));
            }
        }
        return Arrays.stream(CheckedPath.values())
                .filter(path -> words.isEmpty() || words.contains(path.word()))
                .toList();
    }

    @Override
    public void close() {
        Launch.takeDown(machine);
        machine.close();
        ShutdownHooks.remove(hook);
    }

    /** For a walk, which has a progress display itself, and misses keys all the time. */
    static CheckMachine startForWalk(CommandContext context, LaunchOptions launch)
            throws HvException, InterruptedException {
        return start(context, launch, HcaSpec.standard().withoutKeyLockout(), new QuietProgress());
    }
}
