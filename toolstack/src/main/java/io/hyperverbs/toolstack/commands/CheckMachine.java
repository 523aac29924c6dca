package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.check.CheckedPath;
import io.hyperverbs.toolstack.check.DomainProgram;
import io.hyperverbs.toolstack.cli.Desk;
import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.cli.Suggestion;
import io.hyperverbs.toolstack.isolate.run.Bystanders;
import io.hyperverbs.toolstack.machine.Distribution;
import io.hyperverbs.toolstack.machine.Machine;
import io.hyperverbs.toolstack.machine.MachineLauncher;
import io.hyperverbs.toolstack.machine.StateRoot;
import io.hyperverbs.toolstack.progress.Progress;
import io.hyperverbs.toolstack.progress.QuietProgress;
import io.hyperverbs.toolstack.topology.Card;
import io.hyperverbs.toolstack.topology.Topology;
import io.hyperverbs.toolstack.walk.drive.WalkDomains;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A machine without guests, for checks that start their own. Closing takes it down. */
final class CheckMachine implements AutoCloseable {
    /** How long one program may take: a walk of ten million steps on a slow path. */
    private static final Duration STANDARD_LIMIT = Duration.ofHours(12);

    private final Machine machine;
    private final MachineLauncher launcher;
    private final DomainProgram domains;
    private final Duration limit;
    private final Thread hook;

    private CheckMachine(Machine machine, MachineLauncher launcher, Duration limit) {
        this.machine = machine;
        this.launcher = launcher;
        this.domains = new DomainProgram(launcher, machine, limit);
        this.limit = limit;
        this.hook = new Thread(() -> Launch.takeDown(machine), "take-down");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static CheckMachine start(Desk desk, LaunchOptions launch) throws HvException, InterruptedException {
        return start(desk, launch, Card.standard());
    }

    /** The same with a card of one's own. */
    static CheckMachine start(Desk desk, LaunchOptions launch, Card card) throws HvException, InterruptedException {
        try (Progress progress = desk.progress()) {
            return start(desk, launch, card, progress);
        }
    }

    /** The same inside a task that has a progress display itself. */
    static CheckMachine startQuietly(Desk desk, LaunchOptions launch) throws HvException, InterruptedException {
        return start(desk, launch, Card.standard(), new QuietProgress());
    }

    private static CheckMachine start(Desk desk, LaunchOptions launch, Card card, Progress progress)
            throws HvException, InterruptedException {
        Distribution distribution = Distribution.current();
        StateRoot root = StateRoot.of(desk.surroundings().environment());
        Topology topology =
                new Topology("check-" + ProcessHandle.current().pid(), card, List.of(), List.of(), "hv check");
        Machine machine = new MachineLauncher(distribution, root, progress)
                .start(topology, Map.of(), Launch.mode(desk, false, launch));
        MachineLauncher quiet = new MachineLauncher(distribution, root, new QuietProgress());
        return new CheckMachine(machine, quiet, desk.options().timeoutOr(STANDARD_LIMIT));
    }

    DomainProgram domains() {
        return domains;
    }

    /** Starts victims with traffic; the machine takes them down. */
    Bystanders bystanders() throws HvException, InterruptedException {
        return bystanders(0);
    }

    /**
     * The same with victims that work.
     *
     * @param loadPercent of what they make at full speed
     */
    Bystanders bystanders(int loadPercent) throws HvException, InterruptedException {
        return Bystanders.start(launcher, machine, limit, loadPercent);
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
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook runs.
        }
    }

    /** For a walk, which has a progress display itself, and misses keys all the time. */
    static CheckMachine startForWalk(Desk desk, LaunchOptions launch) throws HvException, InterruptedException {
        return start(desk, launch, Card.standard().withoutKeyLockout(), new QuietProgress());
    }
}
