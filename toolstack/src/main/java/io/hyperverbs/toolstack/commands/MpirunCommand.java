package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hv mpirun}. */
@Command(
        name = "mpirun",
        description = {
            "Runs an MPI program in guests that are there, shows what it prints and ends with its exit code.",
            "A Java program (a .java file, a JAR) has the mpi package of the project, with the names of Open MPI's"
                + " Java bindings, and its shared memory (io.hyperverbs.upper.dsm). Its ranks are spread evenly over"
                + " the guests, several in one where there are more. Where no topology runs, that of -t is started for"
                + " it, or one of two guests.",
            "A program of this computer runs by Open MPI's mpirun, or MPICH's, in the first of the guests; messages of"
                + " ranks go through the guests' HCAs, by UCX, and none by shared memory. Ranks are spread evenly over"
                + " the guests with room for executables, one of 'executables.count' in the topology for each rank.",
            "All of it ends with hv. With --timeout TIME before PROGRAM it has that time, and is stopped then, exit"
                    + " code 8."
        },
        footer = {
            "  hv mpirun -n 4 examples/Pi.java",
            "  hv mpirun -n 2 examples/Jacobi.java",
            "  hv mpirun -n 2 --data-path native mpi-perf",
            "  hv mpirun -n 4 /usr/bin/python3 -m mpi4py.bench helloworld",
            "  hv mpirun -n 2 --guests a -x UCX_TLS=ud_verbs,self hpcc",
            "  hv mpirun --mpi mpich -n 4 /tmp/program"
        })
public final class MpirunCommand extends HvCommand {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*", Pattern.DOTALL);

    /** Ranks load libibverbs late, as a plug-in. */
    private static final String MEMORY = "HV_VERBS_MEMORY=";

    @Option(
            names = {"-n", "-np"},
            paramLabel = "N",
            required = true,
            description = "How many ranks.")
    int ranks;

    @Option(
            names = "--guests",
            paramLabel = "DOM",
            split = ",",
            description = "The guests, with commas; mpirun runs in the first. All, if none is named.")
    List<String> guests = new ArrayList<>();

    @Option(names = "-x", paramLabel = "NAME=VALUE", description = "Environment variable of the ranks.")
    List<String> variables = new ArrayList<>();

    @Option(
            names = "--mpi",
            paramLabel = "MPI",
            description = "That of a program of this computer: openmpi or mpich. Default: openmpi.")
    @Nullable
    String mpi;

    @Option(
            names = "--data-path",
            paramLabel = "PATH",
            description =
                    "native, bypass, forwarded or forwarded-unary: starts two guests with that path for the ranks of"
                            + " a Java program, or two native domains.")
    @Nullable
    String dataPath;

    @Mixin
    RawOption raw = new RawOption();

    @Parameters(
            index = "0..*",
            arity = "1..*",
            paramLabel = "PROGRAM",
            description = "A .java file, a JAR, a path, or a name that is found in /usr/bin; then its own arguments.")
    List<String> command = new ArrayList<>();

    public MpirunCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        if (command.getFirst().equals("--")) {
            command.removeFirst();
        }
        checkUsage();
        if (isJava(command.getFirst())) {
            return java();
        }
        if (dataPath != null) {
            throw new HvException(
                    ExitCode.USAGE,
                    "--data-path for a program of this computer",
                    "it is for Java programs; 'path' of a guest in the topology is its path");
        }
        MpiKind kind = kind();
        checkInstalled(kind);
        try (RunningMachine machine = new Machines(context()).running()) {
            MachineReport status = machine.client().status();
            MpiRanks placed = MpiRanks.place(ranks, rooms(status));
            try (MpiShells shells = MpiShells.start(context(), machine, placed.guests())) {
                String first = placed.guests().getFirst();
                return new ExecIn(context(), machine, first, raw.raw)
                        .runExecutable(words(kind, placed, shells.callFile()));
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private static boolean isJava(String program) {
        return program.endsWith(".java") || program.endsWith(".jar") || InstalledPrograms.has(program);
    }

    private int java() throws HvException, IOException, InterruptedException {
        if (mpi != null || !variables.isEmpty()) {
            throw new HvException(
                    ExitCode.USAGE,
                    (mpi == null ? "-x" : "--mpi") + " for a Java program",
                    "they are for programs of this computer");
        }
        return new JavaRanks(context(), ranks, guests, Optional.ofNullable(dataPath), raw.raw)
                .run(command.getFirst(), command.subList(1, command.size()));
    }

    private void checkUsage() throws HvException {
        if (command.isEmpty()) {
            throw new HvException(ExitCode.USAGE, "no program to run", "hv mpirun -n 4 hpcc");
        }
        if (ranks < 1) {
            throw new HvException(ExitCode.USAGE, "-n " + ranks + ", must be positive", "");
        }
        for (String variable : variables) {
            if (!VARIABLE.matcher(variable).matches()) {
                throw new HvException(ExitCode.USAGE, "-x " + variable + ", must be NAME=VALUE", "");
            }
        }
    }

    private MpiKind kind() throws HvException {
        if (mpi == null) {
            return MpiKind.OPENMPI;
        }
        return MpiKind.of(mpi)
                .orElseThrow(() -> new HvException(ExitCode.USAGE, "--mpi " + mpi + ", must be openmpi or mpich", ""));
    }

    private static void checkInstalled(MpiKind kind) throws HvException {
        if (!Files.isExecutable(kind.program())) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    "no " + kind.program() + " on this computer",
                    "Debian: " + kind.debianPackage());
        }
        if (!Installation.current().isBuilt(MpiKind.SHELL)) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    "libibverbs was not built, for want of a C compiler or of infiniband/verbs.h",
                    "Debian: gcc libibverbs-dev; mvn package builds it");
        }
    }

    /** The guests that are asked for, or those with room. */
    private List<MpiRanks.Room> rooms(MachineReport status) throws HvException {
        List<String> running = status.domains().stream()
                .filter(domain -> !domain.state().ended())
                .map(domain -> domain.name())
                .toList();
        List<MpiRanks.Room> all = topology(status).guests().stream()
                .filter(guest -> guest.executables().count() > 0 && running.contains(guest.name()))
                .map(guest -> new MpiRanks.Room(guest.name(), guest.executables()))
                .toList();
        if (all.isEmpty()) {
            throw new HvException(
                    ExitCode.CONFLICT,
                    "no guest of " + status.topology() + " has room for executables",
                    "executables: {} in its topology");
        }
        List<MpiRanks.Room> chosen = new ArrayList<>();
        for (String name : guests) {
            chosen.add(all.stream()
                    .filter(room -> room.guest().equals(name))
                    .findFirst()
                    .orElseThrow(() ->
                            noRoom(name, all.stream().map(MpiRanks.Room::guest).toList())));
        }
        return chosen.isEmpty() ? all : chosen.stream().distinct().toList();
    }

    private static HvException noRoom(String name, List<String> known) {
        return new HvException(
                ExitCode.NOT_FOUND,
                "no guest " + name + " that runs and has room for executables",
                Suggestion.hintOrAll(name, known));
    }

    private static Topology topology(MachineReport status) throws HvException {
        try {
            return TopologyLoader.parse("description", status.description(), new LabPrograms());
        } catch (HvException e) {
            // What other commands start has a sentence for a description.
            throw new HvException(
                    ExitCode.CONFLICT,
                    "no guest of " + status.topology() + " has room for executables",
                    "hv up starts a topology with some");
        }
    }

    private List<String> words(MpiKind kind, MpiRanks placed, String callFile) {
        List<String> words = new ArrayList<>(List.of("env", "SHELL=/bin/bash"));
        words.addAll(kind.words(placed, callFile));
        if (variables.stream().noneMatch(variable -> variable.startsWith(MEMORY))) {
            words.addAll(kind.variable(MEMORY + "always"));
        }
        variables.forEach(variable -> words.addAll(kind.variable(variable)));
        words.addAll(command);
        return words;
    }
}
