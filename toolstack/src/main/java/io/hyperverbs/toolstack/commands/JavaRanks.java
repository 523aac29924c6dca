package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code hv mpirun} of a Java program: finds it, the machine and the guests, and runs it there. */
final class JavaRanks {
    private static final long MEMORY_BYTES = 128L << 20;
    private static final String NATIVE = "native";
    private static final String BYPASS = "bypass";
    private static final List<String> DATA_PATHS = List.of(NATIVE, BYPASS, "forwarded", "forwarded-unary");

    /** Domains of a machine that is started for ranks where no topology is given. */
    private static final List<String> PAIR = List.of("a", "b");

    private final CommandContext context;
    private final int ranks;
    private final List<String> chosen;
    private final Optional<String> dataPath;
    private final boolean raw;

    /**
     * @param chosen the guests; empty for all
     * @param dataPath of two domains that are started for the ranks, whatever else runs
     */
    JavaRanks(CommandContext context, int ranks, List<String> chosen, Optional<String> dataPath, boolean raw) {
        this.context = context;
        this.ranks = ranks;
        this.chosen = chosen;
        this.dataPath = dataPath;
        this.raw = raw;
    }

    int run(String main, List<String> args) throws HvException, IOException, InterruptedException {
        // What is wrong in the command line is said before a machine is started.
        RankPlaces.check(ranks);
        Machines machines = new Machines(context);
        if (dataPath.isPresent()) {
            checkDataPath(dataPath.get(), machines.given() != null);
        }
        Installation installation = Installation.current();
        try (WorkFolder work = WorkFolder.make()) {
            Program program = new JavaPrograms(work, context.environment().folder()).find(main, args);
            if (dataPath.isPresent()) {
                return Launch.once(
                        start(installation, machines, pair(dataPath.get())), machine -> on(machine, PAIR, program));
            }
            if (machines.isMeantRunning()) {
                try (RunningMachine machine = machines.running()) {
                    return on(machine, guests(machine), program);
                }
            }
            Topology topology = machines.given() == null ? pair(BYPASS) : machines.topology();
            return Launch.once(
                    start(installation, machines, topology), machine -> on(machine, guests(machine), program));
        }
    }

    private void checkDataPath(String path, boolean isTopologyGiven) throws HvException {
        if (!DATA_PATHS.contains(path)) {
            throw new HvException(
                    ExitCode.USAGE,
                    "--data-path " + path + ", must be native, bypass, forwarded or forwarded-unary",
                    "");
        }
        if (isTopologyGiven || !chosen.isEmpty()) {
            throw new HvException(
                    ExitCode.USAGE,
                    "--data-path with " + (isTopologyGiven ? "-t" : "--guests"),
                    "it starts guests of its own; 'path' of a guest in the topology is its path");
        }
    }

    private RunningMachine start(Installation installation, Machines machines, Topology topology)
            throws HvException, InterruptedException, IOException {
        if (topology.isHosted()) {
            throw new HvException(
                    ExitCode.USAGE,
                    topology.name() + " is on several hosts",
                    "hv up starts it; then hv --host runs ranks on one");
        }
        topology.warnings().forEach(context::note);
        try (StartTimeline timeline = StartTimeline.start(context.progress())) {
            MachineLauncher launcher = new MachineLauncher(installation, machines.root(), timeline);
            // Programs that the topology names are not started: its guests are for the ranks.
            return launcher.start(topology, Map.of(), Launch.mode(context, false, new LaunchOptions()));
        }
    }

    private static Topology pair(String path) {
        List<Guest> domains = PAIR.stream()
                .map(name -> Guest.named(name).withMemory(MEMORY_BYTES))
                .map(domain -> path.equals(NATIVE) ? domain.asNative() : domain.onPath(path))
                .toList();
        return new Topology(
                "mpirun-" + ProcessHandle.current().pid(), HcaSpec.standard(), domains, List.of(), "hv mpirun");
    }

    private int on(RunningMachine machine, List<String> domains, Program program)
            throws HvException, IOException, InterruptedException {
        return new JavaJob(context, machine, RankPlaces.place(ranks, domains), raw).run(program);
    }

    /** The guests that are asked for, or all that run. */
    private List<String> guests(RunningMachine machine) throws HvException {
        List<String> all;
        String name;
        try {
            MachineReport status = machine.client().status();
            name = status.topology();
            all = status.domains().stream()
                    .filter(domain ->
                            domain.kind() == DomainKind.GUEST && !domain.state().ended())
                    .map(domain -> domain.name())
                    .sorted()
                    .toList();
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        if (all.isEmpty()) {
            throw new HvException(ExitCode.CONFLICT, "no guest of " + name + " runs", "hv ps shows which there are");
        }
        for (String guest : chosen) {
            if (!all.contains(guest)) {
                throw new HvException(
                        ExitCode.NOT_FOUND, "no guest " + guest + " runs", Suggestion.hintOrAll(guest, all));
            }
        }
        return chosen.isEmpty() ? all : chosen.stream().distinct().toList();
    }
}
