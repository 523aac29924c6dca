package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.ProgramSource;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.job.launch.RankProgram;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mpi.MPI;

/** {@code hv mpirun} of a Java program: finds it, the machine and the guests, and runs it there. */
final class JavaRanks {
    private static final long MEMORY_BYTES = 128L << 20;

    /** A class of each module that programs of several ranks are written against. */
    private static final List<Class<?>> LIBRARY = List.of(RankProgram.class, MPI.class, Dsm.class);

    private final CommandContext context;
    private final int ranks;
    private final List<String> chosen;
    private final boolean raw;

    /**
     * @param chosen the guests; empty for all
     */
    JavaRanks(CommandContext context, int ranks, List<String> chosen, boolean raw) {
        this.context = context;
        this.ranks = ranks;
        this.chosen = chosen;
        this.raw = raw;
    }

    int run(String main, List<String> args) throws HvException, IOException, InterruptedException {
        // A wrong number is said before a machine is started.
        RankPlaces.check(ranks);
        Installation installation = Installation.current();
        try (WorkFolder work = WorkFolder.make()) {
            Program program = find(main, args, installation, work);
            Machines machines = new Machines(context);
            if (machines.isMeantRunning()) {
                try (RunningMachine machine = machines.running()) {
                    return on(machine, program);
                }
            }
            return Launch.once(start(installation, machines), machine -> on(machine, program));
        }
    }

    /** The user's program with the libraries, which it is compiled against, too. */
    private Program find(String main, List<String> args, Installation installation, WorkFolder work)
            throws HvException {
        List<Path> library = LIBRARY.stream().map(InstalledPrograms::moduleOf).toList();
        List<Path> classPath = new ArrayList<>(installation.guestClassPath());
        classPath.addAll(library);
        Program found = new ProgramSource(classPath, work.path())
                .find(main, args, context.environment().folder());
        LinkedHashSet<Path> files = new LinkedHashSet<>(found.files());
        files.addAll(library);
        return new Program(found.mainClass(), List.copyOf(files), found.args());
    }

    private RunningMachine start(Installation installation, Machines machines)
            throws HvException, InterruptedException, IOException {
        Topology topology = machines.given() == null ? twoGuests() : machines.topology();
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

    private static Topology twoGuests() {
        List<Guest> guests = List.of(guest("a"), guest("b"));
        return new Topology(
                "mpirun-" + ProcessHandle.current().pid(), HcaSpec.standard(), guests, List.of(), "hv mpirun");
    }

    private static Guest guest(String name) {
        return new Guest(name, false, MEMORY_BYTES, "bypass", Guest.Share.STANDARD, false, Map.of(), Optional.empty());
    }

    private int on(RunningMachine machine, Program program) throws HvException, IOException, InterruptedException {
        return new JavaJob(context, machine, RankPlaces.place(ranks, guests(machine)), raw).run(program);
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
