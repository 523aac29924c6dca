package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.domain.TimedFault;
import io.hyperverbs.vmm.posix.HostMemory;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts topologies: the VMM, the device domains, then all others side by side. What fails takes
 * down all that was started.
 */
public final class MachineLauncher {
    /** More at once only makes each slower. */
    private static final int STARTERS_PER_CORE = 2;

    private static final String DOMAINS_KEY = "domain/tool/domains";

    private final Installation installation;
    private final StateRoot root;
    private final Progress progress;

    public MachineLauncher(Installation installation, StateRoot root, Progress progress) {
        this.installation = installation;
        this.root = root;
        this.progress = progress;
    }

    /**
     * How to start.
     *
     * @param sandbox the one tier to take; the strongest if empty
     * @param timeout for all domains together, from when the VMM runs
     * @param brief whether the machine ends before the slower one of the JVM's compilers would pay
     *     in its device domain
     * @param groups whether guests get control groups where the computer has them
     * @param offered whether commands that name no topology may take it: {@code hv up} alone
     */
    public record Mode(
            boolean detached,
            boolean insecure,
            Optional<String> sandbox,
            Duration timeout,
            boolean brief,
            boolean groups,
            boolean offered) {
        /** Several times what a hundred guests take on a small computer. */
        public static final Duration STANDARD_TIMEOUT = Duration.ofMinutes(3);

        public Mode(boolean detached, boolean insecure, Optional<String> sandbox, Duration timeout) {
            this(detached, insecure, sandbox, timeout, false);
        }

        public Mode(boolean detached, boolean insecure, Optional<String> sandbox, Duration timeout, boolean brief) {
            this(detached, insecure, sandbox, timeout, brief, true, false);
        }

        public Mode asOffered() {
            return new Mode(detached, insecure, sandbox, timeout, brief, groups, true);
        }
    }

    /** What guests run, by name; the others wait for {@code hv run --in}. */
    @FunctionalInterface
    public interface Programs {
        /** Finds them, which may take a compiler; called while the VMM starts. */
        Map<String, Program> find() throws HvException;
    }

    /** As {@link #start(Topology, Programs, Mode)}, of programs that are there. */
    public RunningMachine start(Topology topology, Map<String, Program> programs, Mode mode)
            throws HvException, InterruptedException {
        return start(topology, () -> programs, mode);
    }

    /**
     * Starts a topology; returns when all domains are ready.
     *
     * @throws HvException CONFLICT if the name or an address is taken; INVALID_TOPOLOGY if the computer has not
     *     the memory for all; FAILURE if a domain does not come up; what finding the programs throws
     */
    public RunningMachine start(Topology topology, Programs programs, Mode mode)
            throws HvException, InterruptedException {
        List<String> names = new ArrayList<>();
        topology.guests().forEach(guest -> names.add(guest.name()));
        root.folder(topology.name()).checkSocketPaths(withDeviceDomains(topology, names));
        checkMemory(topology);
        Begun begun = startVmm(topology, programs, mode);
        RunningMachine machine = begun.machine();
        boolean started = false;
        Thread hook = new Thread(() -> takeDown(machine), "take-down");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            if (mode.offered()) {
                machine.folder().offer();
            }
            // After its name is ours: a machine of that name has the addresses of its topology.
            startDomains(machine, PortAddresses.choose(topology), begun.programs(), names, mode);
            started = true;
            return machine;
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot write to the state folder: " + e, "");
        } finally {
            if (!started) {
                takeDown(machine);
                machine.close();
            }
            ShutdownHooks.remove(hook);
        }
    }

    private void checkMemory(Topology topology) throws HvException {
        try {
            MemorySums.of(installation, topology).check(HostMemory.spareBytes());
        } catch (PosixException e) {
            throw new HvException(ExitCode.FAILURE, String.valueOf(e.getMessage()), "");
        }
    }

    private static List<String> withDeviceDomains(Topology topology, List<String> names) {
        List<String> all = new ArrayList<>(names);
        topology.hcas().forEach(hca -> all.add(DomainSpecs.deviceDomain(topology, hca)));
        return all;
    }

    /** A machine without domains, and what its guests will run. */
    private record Begun(RunningMachine machine, Map<String, Program> programs) {}

    private Begun startVmm(Topology topology, Programs programs, Mode mode) throws HvException, InterruptedException {
        try {
            MachineFolder folder = root.prepare(topology.name());
            progress.begin(
                    "starting " + topology.name(),
                    topology.guests().size() + topology.hcas().size() + 1L);
            try (VmmStart start = VmmStart.begin(installation, folder, topology.source(), mode)) {
                Map<String, Program> found = programs.find();
                Process vmm = start.await();
                progress.step("VMM");
                return new Begun(RunningMachine.attach(folder, vmm.getOutputStream()), found);
            }
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot start the VMM: " + e, "");
        }
    }

    private void startDomains(
            RunningMachine machine, Topology topology, Map<String, Program> programs, List<String> names, Mode mode)
            throws HvException, InterruptedException {
        EnginePlan engines = EnginePlan.of(topology);
        DomainSpecs specs = new DomainSpecs(installation, machine.folder(), engines);
        int together = STARTERS_PER_CORE * Runtime.getRuntime().availableProcessors();
        try (DomainStarts starts = new DomainStarts(machine, together, mode.timeout())) {
            startDeviceDomains(starts, specs, topology, mode);
            machine.client().storeWrite(DOMAINS_KEY, String.join(" ", names));
            engines.write(machine.client());
            for (Guest guest : topology.guests()) {
                Optional<Program> program = Optional.ofNullable(programs.get(guest.name()));
                Guest placed = guest.onHca(topology.hcaOf(guest).name());
                starts.start(guest.name(), () -> specs.domain(placed, program));
            }
            for (String name : names) {
                starts.await(name);
                progress.step(name);
            }
            if (!topology.faults().isEmpty()) {
                machine.client().scheduleFaults(faults(topology));
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** The topology's, with names of device domains for those of HCAs. */
    private static List<TimedFault> faults(Topology topology) {
        Map<String, String> domains = new HashMap<>();
        topology.hcas().forEach(hca -> domains.put(hca.name(), DomainSpecs.deviceDomain(topology, hca)));
        return topology.faults().stream()
                .map(fault -> fault instanceof TimedFault.Kill(long at, String name)
                        ? new TimedFault.Kill(at, domains.getOrDefault(name, name))
                        : fault)
                .toList();
    }

    private void startDeviceDomains(DomainStarts starts, DomainSpecs specs, Topology topology, Mode mode)
            throws HvException, InterruptedException {
        for (HcaSpec hca : topology.hcas()) {
            starts.start(DomainSpecs.deviceDomain(topology, hca), () -> specs.backend(topology, hca, mode.brief()));
        }
        for (HcaSpec hca : topology.hcas()) {
            String name = DomainSpecs.deviceDomain(topology, hca);
            starts.await(name);
            progress.step(name);
        }
    }

    /** Starts one more domain in a machine that runs; on its first HCA, if the guest names none. */
    public DomainReport add(RunningMachine machine, Guest guest, Optional<Program> program) throws HvException {
        machine.folder().checkSocketPaths(List.of(guest.name()));
        try {
            DomainSpecs specs = new DomainSpecs(installation, machine.folder(), EnginePlan.read(machine.client()));
            // Programs that wait for whoever calls look there for names.
            List<String> names = new ArrayList<>();
            List<DomainReport> domains = machine.client().status().domains();
            for (DomainReport domain : domains) {
                if (domain.kind() != DomainKind.BACKEND && !domain.state().ended()) {
                    names.add(domain.name());
                }
            }
            names.add(guest.name());
            machine.client().storeWrite(DOMAINS_KEY, String.join(" ", names));
            return machine.client().startDomain(specs.domain(placed(guest, domains), program));
        } catch (MachineException e) {
            throw DomainStarts.failure(machine, guest.name(), e);
        }
    }

    private static Guest placed(Guest guest, List<DomainReport> domains) {
        return guest.hca().isEmpty()
                ? domains.stream()
                        .filter(domain -> domain.kind() == DomainKind.BACKEND)
                        .findFirst()
                        .map(first -> guest.onHca(first.hca()))
                        .orElse(guest)
                : guest;
    }

    private static void takeDown(RunningMachine machine) {
        try {
            machine.shutDown();
        } catch (IOException e) {
            System.err.println("hv: cannot remove " + machine.folder().path() + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
