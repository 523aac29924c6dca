package io.hyperverbs.toolstack.machine;

import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.progress.Progress;
import io.hyperverbs.toolstack.topology.Guest;
import io.hyperverbs.toolstack.topology.Topology;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Starts topologies: the VMM, the device domain, then all others side by side. What fails takes
 * down all that was started.
 */
public final class MachineLauncher {
    /** More at once only makes each slower. */
    private static final int STARTERS_PER_CORE = 2;

    private final Distribution distribution;
    private final StateRoot root;
    private final Progress progress;

    public MachineLauncher(Distribution distribution, StateRoot root, Progress progress) {
        this.distribution = distribution;
        this.root = root;
        this.progress = progress;
    }

    /** How to start. */
    public record Mode(boolean detached, boolean insecure) {}

    /**
     * Starts {@code topology}; returns when all domains are ready.
     *
     * @param programs what guests run, by name; the others wait for {@code hv run --in}
     * @throws HvException CONFLICT if the name is taken; FAILURE if a domain does not come up
     */
    public Machine start(Topology topology, Map<String, Program> programs, Mode mode)
            throws HvException, InterruptedException {
        List<String> names = new ArrayList<>();
        topology.guests().forEach(guest -> names.add(guest.name()));
        root.folder(topology.name()).checkSocketPaths(withBackend(names));
        Machine machine = startVmm(topology, mode);
        boolean started = false;
        Thread hook = new Thread(() -> takeDown(machine), "take-down");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            startDomains(machine, topology, programs, names);
            started = true;
            return machine;
        } finally {
            if (!started) {
                takeDown(machine);
                machine.close();
            }
            remove(hook);
        }
    }

    private static List<String> withBackend(List<String> names) {
        List<String> all = new ArrayList<>(names);
        all.add(DomainSpecs.BACKEND);
        return all;
    }

    private Machine startVmm(Topology topology, Mode mode)
            throws HvException, InterruptedException {
        try {
            MachineFolder folder = root.prepare(topology.name());
            progress.begin("starting " + topology.name(), topology.guests().size() + 2L);
            VmmStart.run(distribution, folder, topology.source(), mode);
            progress.step("VMM");
            return Machine.attach(folder);
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot start the VMM: " + e, "");
        }
    }

    private void startDomains(
            Machine machine, Topology topology, Map<String, Program> programs, List<String> names)
            throws HvException, InterruptedException {
        DomainSpecs specs = new DomainSpecs(distribution, machine.folder());
        try {
            machine.client().startDomain(specs.backend(topology.hca()));
            progress.step(DomainSpecs.BACKEND);
            machine.client().storeWrite("domain/tool/domains", String.join(" ", names));
        } catch (MachineException e) {
            throw failure(machine, DomainSpecs.BACKEND, e);
        }
        int starters = STARTERS_PER_CORE * Runtime.getRuntime().availableProcessors();
        try (ExecutorService pool =
                Executors.newFixedThreadPool(Math.min(starters, topology.guests().size()))) {
            Map<String, Future<DomainReport>> starts = new LinkedHashMap<>();
            for (Guest guest : topology.guests()) {
                Optional<Program> program = Optional.ofNullable(programs.get(guest.name()));
                Callable<DomainReport> start =
                        () -> machine.client().startDomain(specs.domain(guest, program));
                starts.put(guest.name(), pool.submit(start));
            }
            for (Map.Entry<String, Future<DomainReport>> start : starts.entrySet()) {
                awaitStart(machine, start.getKey(), start.getValue());
            }
        }
    }

    private void awaitStart(Machine machine, String name, Future<DomainReport> start)
            throws HvException, InterruptedException {
        try {
            start.get();
            progress.step(name);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MachineException refused) {
                throw failure(machine, name, refused);
            }
            if (e.getCause() instanceof HvException already) {
                throw already;
            }
            throw new IllegalStateException("start of " + name, e.getCause());
        }
    }

    /** Starts one more domain in a machine that runs. */
    public DomainReport add(Machine machine, Guest guest, Optional<Program> program)
            throws HvException {
        machine.folder().checkSocketPaths(List.of(guest.name()));
        try {
            DomainReport report =
                    machine.client()
                            .startDomain(
                                    new DomainSpecs(distribution, machine.folder())
                                            .domain(guest, program));
            return report;
        } catch (MachineException e) {
            throw failure(machine, guest.name(), e);
        }
    }

    /** The reason with the last line of the domain's console, as the log goes with the machine. */
    private static HvException failure(Machine machine, String name, MachineException e) {
        String last = LogTail.lastLine(machine.folder().log(name));
        return Failures.of(
                new MachineException(e.status(), "domain " + name + ": " + e.getMessage()),
                last.isEmpty() ? "" : "its console ends with: " + last);
    }

    private static void takeDown(Machine machine) {
        try {
            machine.shutDown();
        } catch (IOException e) {
            System.err.println("hv: cannot remove " + machine.folder().path() + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook runs.
        }
    }
}
