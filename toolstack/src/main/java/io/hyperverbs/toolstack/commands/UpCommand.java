package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.hosts.HostsFile;
import io.hyperverbs.launcher.hosts.Launcher;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hv up}. */
@Command(
        name = "up",
        description = {
            "Starts a topology: VMM, a device domain for each HCA, guests.",
            "In the foreground it shows the consoles and ends when all programs have ended or by"
                    + " Ctrl-C; the topology ends with it.",
            "With -v it shows where the time of the start went."
        },
        footer = {
            "  hv up -d --topo pair",
            "  hv up --wait=done -t examples/pair.hv.yaml && hv logs a && hv down",
            "  hv up -t examples/pair.hv.yaml",
            "  hv up -d --topo star,n=8 && hv ps && hv down",
            "  hv up -d -v --topo star,n=8 && hv down"
        })
public final class UpCommand extends HvCommand {
    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Option(
            names = {"-d", "--detach"},
            description = "Return when all domains are ready; hv down ends them.")
    boolean detach;

    @Option(
            names = "--wait",
            paramLabel = "ready|done",
            arity = "0..1",
            fallbackValue = "ready",
            description = "Implies -d. ready (without a word): return when all domains are ready, as -d"
                    + " does. done: return when the programs of all guests that have one"
                    + " have ended, with the first exit code that is not 0.")
    @Nullable
    Awaited wait;

    @Option(
            names = "--launcher",
            paramLabel = "slurm|ssh|local",
            completionCandidates = Launchers.class,
            description = "How to reach the hosts of a topology that has some (default: local if all are addresses"
                    + " 127.x of this computer).")
    @Nullable
    Launcher launcher;

    @Mixin
    RawOption raw = new RawOption();

    /** What {@code --wait} waits for. */
    enum Awaited {
        READY,
        DONE
    }

    /** Those that start anything, for completion. */
    static final class Launchers implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("slurm", "ssh", "local").iterator();
        }
    }

    public UpCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        if (launcher == Launcher.KUBERNETES) {
            throw new HvException(
                    ExitCode.USAGE, "hv up starts no pods", "hv export kubernetes writes what kubectl starts");
        }
        Machines machines = new Machines(context());
        Topology topology = machines.topology();
        topology.warnings().forEach(context()::note);
        MachineLauncher.Mode mode =
                Launch.mode(context(), detach || wait != null, launch).asOffered();
        long beganNanos = System.nanoTime();
        if (topology.isHosted()) {
            return onHosts(topology, machines, mode, beganNanos);
        }
        if (launcher != null) {
            throw new HvException(
                    ExitCode.USAGE, "--launcher for a topology without hosts", "leave it out, or add hosts:");
        }
        try (RunningMachine machine = Launch.start(context(), topology, machines.topologyFolder(), mode)) {
            context()
                    .note(String.format(
                            Locale.ROOT,
                            "%s is up: %d domains in %.1f s",
                            topology.name(),
                            topology.guests().size(),
                            (System.nanoTime() - beganNanos) / 1e9));
            context().note(Launch.tierLine(machine));
            String engines = Launch.engineLine(machine);
            if (!engines.isEmpty()) {
                context().note(engines);
            }
            if (!mode.detached()) {
                return foreground(machine, topology);
            }
            return wait == Awaited.DONE ? awaitPrograms(machine, topology) : ExitCode.OK.number();
        }
    }

    private int onHosts(Topology topology, Machines machines, MachineLauncher.Mode mode, long beganNanos)
            throws HvException, InterruptedException, IOException {
        if (!detach && wait != Awaited.READY) {
            throw new HvException(
                    ExitCode.USAGE,
                    "a topology on several hosts has no foreground",
                    "start it with -d or --wait=ready");
        }
        HostsFile hosts = HostedLaunch.start(context(), topology, machines.topologyFolder(), launcher, mode);
        context()
                .note(String.format(
                        Locale.ROOT,
                        "%s is up: %d domains on %d hosts by %s in %.1f s",
                        topology.name(),
                        topology.guests().size(),
                        hosts.hosts().size(),
                        hosts.launcher().name().toLowerCase(Locale.ROOT),
                        (System.nanoTime() - beganNanos) / 1e9));
        return ExitCode.OK.number();
    }

    private int foreground(RunningMachine machine, Topology topology)
            throws InterruptedException, IOException, HvException {
        Thread hook = new Thread(() -> Launch.takeDown(machine), "take-down");
        Runtime.getRuntime().addShutdownHook(hook);
        Consoles consoles = new Consoles(context(), machine, topology, raw.raw);
        int exit = consoles.follow();
        Launch.takeDown(machine);
        return exit;
    }

    private int awaitPrograms(RunningMachine machine, Topology topology) throws HvException {
        long endNanos = System.nanoTime()
                + context().options().timeoutOr(Duration.ofDays(365)).toNanos();
        int exit = 0;
        LostHcas lost = new LostHcas(context());
        List<Guest> busy =
                topology.guests().stream().filter(g -> g.app().isPresent()).toList();
        for (Guest guest : busy) {
            try {
                DomainReport end = machine.client()
                        .awaitDomain(
                                guest.name(),
                                Set.of(DomainState.SHUT_DOWN, DomainState.CRASHED),
                                Duration.ofNanos(Math.max(1, endNanos - System.nanoTime())));
                lost.look(machine.client().status().domains());
                exit = exit == 0 ? end.exitCode() : exit;
            } catch (MachineException e) {
                throw Failures.of(e, "the topology runs on; hv down ends it");
            }
        }
        return exit;
    }
}
