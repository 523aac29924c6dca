package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.ProgramSource;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.launcher.progress.QuietProgress;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hv run}. */
@Command(
        name = "run",
        description = {
            "Runs a verbs program in a guest, shows what it prints and ends with its exit code.",
            "With a topology running that hv up started, in a new guest of it, or with --in in one"
                    + " that is there; otherwise in a machine of one guest that is taken down"
                    + " afterwards. Machines of bench, check, isolate and other runs are passed over.",
            "It reads what hv reads, unless that is a terminal or it runs with --in: then its"
                    + " standard input is at its end.",
            "--trace shows the guest's verbs: with --in those of other programs in it, too.",
            "A guest has 3 minutes to start; the program may take as long as it likes. With"
                    + " --timeout TIME before PROGRAM each of the two has that time: a program that"
                    + " takes longer is stopped, exit code 8."
        },
        footer = {
            "  hv run examples/WriteHello.java",
            "  hv run --trace -c examples/WriteHello.java",
            "  hv run --in b pingpong &  hv run --in a pingpong -s 64 b",
            "  hv run --in a /usr/bin/ibv_devinfo -v",
            "  hv run build/my-verbs-program.jar --depth 3"
        })
public final class RunCommand extends HvCommand {
    private static final String GUEST_NAME = "run";

    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Option(names = "--in", paramLabel = "DOM", description = "Run it in that guest.")
    @Nullable
    String in;

    @Option(
            names = "--data-path",
            paramLabel = "PATH",
            description = "bypass, forwarded or forwarded-unary, for a new guest (${DEFAULT-VALUE}).")
    String dataPath = "bypass";

    @Option(
            names = "--trace",
            description = "Show each verb of the guest on standard error, from the start of a new one; see hv trace.")
    boolean trace;

    @Option(
            names = {"-c", "--summary"},
            description = "With --trace: show the sums when the program has ended, as hv trace -c does.")
    boolean summary;

    @Mixin
    DeviceOption device = new DeviceOption();

    @Mixin
    RawOption raw = new RawOption();

    @Parameters(
            index = "0",
            paramLabel = "PROGRAM",
            description = "pingpong, a class, a JAR or a .java file; with --in also /usr/bin/NAME, as hv exec.")
    String program = "";

    @Parameters(index = "1..*", paramLabel = "ARGS", description = "The program's own.")
    List<String> args = new ArrayList<>();

    public RunCommand(CommandContext context) {
        super(context);
    }

    @Override
    String subject() {
        return in == null ? device.name : in;
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        if (!List.of("bypass", "forwarded", "forwarded-unary").contains(dataPath)) {
            throw new HvException(
                    ExitCode.USAGE, "--data-path " + dataPath + ", must be bypass, forwarded or forwarded-unary", "");
        }
        if (summary && !trace) {
            throw new HvException(ExitCode.USAGE, "-c without --trace", "hv run --trace -c PROGRAM");
        }
        if (trace) {
            VerbOptions.checkFormat(context(), summary);
        }
        if (isExecutable(program)) {
            return executable();
        }
        Installation installation = Installation.current();
        try (WorkFolder work = WorkFolder.make()) {
            Machines machines = new Machines(context());
            boolean running = in != null
                    || machines.given() != null
                    || !machines.offered().isEmpty();
            if (!running) {
                machines.passedOver().ifPresent(context()::note);
                return alone(installation, machines, work);
            }
            Program found = find(installation, work);
            try (RunningMachine machine = machines.running()) {
                if (in == null) {
                    return inNewGuest(installation, machines, machine, found);
                }
                return in(machine, in, exec -> exec.run(found));
            }
        }
    }

    private Program find(Installation installation, WorkFolder work) throws HvException {
        Program found = new ProgramSource(installation.guestClassPath(), work.path())
                .find(program, args, context().environment().folder());
        return context().environment().in().isPresent() ? found.withInput() : found;
    }

    private static boolean isExecutable(String program) {
        return program.startsWith("/") && !program.endsWith(".java") && !program.endsWith(".jar");
    }

    /** As {@code hv exec} does. */
    private int executable() throws HvException, IOException, InterruptedException {
        if (in == null) {
            throw new HvException(
                    ExitCode.USAGE, program + " is an executable, and runs in a guest that is there", "--in DOM");
        }
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(args);
        try (RunningMachine machine = new Machines(context()).running()) {
            return in(machine, in, exec -> exec.runExecutable(command));
        }
    }

    private int alone(Installation installation, Machines machines, WorkFolder work)
            throws HvException, InterruptedException, IOException {
        HcaSpec hca = HcaSpec.standard();
        if (!device.name.isEmpty() && !device.name.equals(hca.name())) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    "no device " + device.name + " in a machine of one guest",
                    "it has " + hca.name());
        }
        Guest guest = guest(GUEST_NAME);
        Topology topology = new Topology(
                "run-" + ProcessHandle.current().pid(), hca, List.of(guest), List.of(), "hv run " + program);
        StartTimeline timeline = StartTimeline.start(new QuietProgress());
        MachineLauncher launcher = new MachineLauncher(installation, machines.root(), timeline);
        return Launch.once(
                launcher.start(
                        topology,
                        () -> Map.of(guest.name(), find(installation, work)),
                        Launch.mode(context(), false, launch)),
                machine -> {
                    timeline.note(context(), machine);
                    InputFeed.start(context(), machine.client(), guest.name());
                    return follow(new GuestConsole(context(), machine, guest.name(), raw.raw), machine, guest.name());
                });
    }

    private int inNewGuest(Installation installation, Machines machines, RunningMachine machine, Program found)
            throws HvException, IOException, InterruptedException {
        MachineLauncher launcher = new MachineLauncher(installation, machines.root(), new QuietProgress());
        Guest guest = guest(freeName(machine)).onHca(device(machine));
        launcher.add(machine, guest, Optional.of(found));
        GuestConsole console = new GuestConsole(context(), machine, guest.name(), raw.raw);
        Thread hook = new Thread(console::stop, "stop-" + guest.name());
        Runtime.getRuntime().addShutdownHook(hook);
        InputFeed.start(context(), machine.client(), guest.name());
        return follow(console, machine, guest.name());
    }

    private int follow(GuestConsole console, RunningMachine machine, String guest)
            throws HvException, IOException, InterruptedException {
        if (!trace) {
            return console.follow();
        }
        try (ProgramTrace _ = ProgramTrace.ofNew(context(), machine, guest, new ProgramTrace.How(summary, raw.raw))) {
            return console.follow();
        }
    }

    /** What runs in a guest that is there; its exit code. */
    @FunctionalInterface
    private interface Job {
        int run(ExecIn exec) throws HvException, IOException, InterruptedException;
    }

    private int in(RunningMachine machine, String guest, Job job)
            throws HvException, IOException, InterruptedException {
        ExecIn exec = new ExecIn(context(), machine, guest, raw.raw);
        if (!trace) {
            return job.run(exec);
        }
        exec.check();
        try (ProgramTrace _ = ProgramTrace.in(context(), machine, guest, new ProgramTrace.How(summary, raw.raw))) {
            return job.run(exec);
        }
    }

    /** The device of a new guest; empty for the machine's first. */
    private String device(RunningMachine machine) throws HvException {
        try {
            List<String> names = MachineHca.names(machine.client().status());
            if (!device.name.isEmpty() && !names.contains(device.name)) {
                throw MachineHca.unknown(machine, device.name, names);
            }
            return device.name;
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private Guest guest(String name) {
        return new Guest(
                name,
                false,
                Guest.STANDARD_MEMORY_BYTES,
                dataPath,
                Guest.Share.STANDARD,
                trace,
                Map.of(),
                Optional.empty());
    }

    /** The first of run1, run2, ... that no domain ever had; names of ended ones are not reused. */
    private static String freeName(RunningMachine machine) throws HvException {
        try {
            List<String> taken = machine.client().status().domains().stream()
                    .map(d -> d.name())
                    .toList();
            int number = 1;
            while (taken.contains(GUEST_NAME + number)) {
                number++;
            }
            return GUEST_NAME + number;
        } catch (MachineException e) {
            throw new HvException(
                    ExitCode.FAILURE, "topology " + machine.folder().name() + " does not answer", "hv down ends it");
        }
    }
}
