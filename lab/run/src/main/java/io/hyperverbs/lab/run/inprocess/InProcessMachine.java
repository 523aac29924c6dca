package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.backend.event.EventRoutes;
import io.hyperverbs.backend.journal.Journal;
import io.hyperverbs.backend.journal.JournalException;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.session.DataPaths;
import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.verbs.DeviceServices;
import io.hyperverbs.backend.verbs.DirectControlPath;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.hca.DoorbellSleep;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.lab.walk.agent.Clockwork;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.vmm.hypercall.Boot;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiFunction;

/**
 * HCA, device domain driver and domains in one process, on virtual time: nothing sleeps, and timers
 * of the HCA and of the connection manager are over when the clock says so. Domains are native
 * ones. For one thread, which is the engine's too, unless all calls go through {@link
 * #onVirtualTime}.
 */
public final class InProcessMachine implements AutoCloseable {
    private static final int KEYS_SEED = 1;

    private final Arena arena = Arena.ofShared();
    private final Journal journal;
    private final Management management;
    private final Frames frames;
    private final HcaClockwork clockwork;
    private final RequestExecutor executor;
    private final List<DriverDomain> domains = new ArrayList<>();

    /**
     * @param domainFrames of the domains together
     * @param otherFrames of the HCA and of doorbell pages
     * @param folder for the journal
     */
    public InProcessMachine(HcaLimits limits, int domainFrames, int otherFrames, Path folder) throws HvException {
        this(limits, domainFrames, otherFrames, folder, Network.none());
    }

    /** The same on a network. */
    public InProcessMachine(HcaLimits limits, int domainFrames, int otherFrames, Path folder, Network network)
            throws HvException {
        journal = journal(folder);
        try {
            frames = new Frames(arena, domainFrames + otherFrames);
            EventRoutes routes = new EventRoutes();
            MappedExtent status = frames.allocateFrames(FrameKind.EVENT, 1);
            PortSettings ports = PortSettings.standard(limits.lid(), limits.mtuBytes());
            Hca hca = hca(limits, ports, network, status);
            clockwork = new HcaClockwork(hca, routes);
            management = new Management(ports, clockwork::nowNanos);
            clockwork.drive(management);
            DeviceServices services =
                    new DeviceServices(hca, limits, ports, frames, status, routes, () -> {}, management);
            executor = new RequestExecutor(services, journal, clockwork::nowNanos);
        } catch (HypercallException e) {
            throw new HvException(ExitCode.FAILURE, "no machine in this process: " + e, "");
        }
    }

    private static Journal journal(Path folder) throws HvException {
        try {
            return Journal.open(folder, Clock.systemUTC());
        } catch (JournalException e) {
            throw new HvException(ExitCode.FAILURE, "no journal: " + e.getMessage(), "");
        }
    }

    private Hca hca(HcaLimits limits, PortSettings ports, Network network, MappedExtent status)
            throws HypercallException {
        long contextFrames = (Hca.contextMemoryBytes(limits) - 1) / FrameRun.FRAME_BYTES + 1;
        MappedExtent context = frames.allocateFrames(FrameKind.CONTEXT, contextFrames);
        return new Hca(
                frames.machineMemory(),
                () -> {},
                new NoSleep(),
                limits,
                ports,
                network,
                context.firstMachineFrame() * FrameRun.FRAME_BYTES,
                status.firstMachineFrame() * FrameRun.FRAME_BYTES,
                new Random(KEYS_SEED));
    }

    /** One more domain, with settings as the VMM gives them; it is there until the machine closes. */
    public DriverDomain add(String name, int ramFrames, Map<String, String> settings) throws Refusal {
        return add(
                name,
                ramFrames,
                settings,
                (machine, backend) -> new DriverDomain(machine, backend, null, DataPathKind.BYPASS));
    }

    /**
     * @param driver makes the domain's driver of its hypercalls and its way to the backend
     */
    public DriverDomain add(
            String name,
            int ramFrames,
            Map<String, String> settings,
            BiFunction<Hypercalls, ControlPath, DriverDomain> driver)
            throws Refusal {
        int id = domains.size() + 1;
        MappedExtent ram = frames.take(id, FrameKind.RAM, ramFrames);
        Session session = new Session(
                id,
                name,
                true,
                ShareInit.STANDARD,
                Quota.of(settings, (long) ramFrames * FrameRun.FRAME_BYTES),
                DataPaths.of(settings),
                List.of(new FrameRun(ram.firstMachineFrame(), ramFrames)));
        management.open(session);
        DriverDomain domain = driver.apply(
                new LocalHypercalls(frames, new Boot(id, name, List.of(ram), settings)),
                new DirectControlPath(session, executor));
        domains.add(domain);
        return domain;
    }

    /** The machine's time, and what makes it pass. */
    public Clockwork clockwork() {
        return clockwork;
    }

    /** Nanoseconds of virtual time. Any thread. */
    public long nowNanos() {
        return clockwork.nowNanos();
    }

    /**
     * The domain as a program sees it that knows nothing of virtual time: the HCA works at each call,
     * and time passes while it polls or waits. Several threads may use it, one at a time.
     */
    public Domain onVirtualTime(DriverDomain domain) {
        return (Domain) Objects.requireNonNull(new VirtualTime(clockwork).seen(domain));
    }

    @Override
    public void close() {
        domains.forEach(DriverDomain::close);
        management.close();
        journal.close();
        arena.close();
    }

    /** The engine works when a program waits. */
    private static final class NoSleep implements DoorbellSleep {
        @Override
        public void sleep(long maxNanos) {}

        @Override
        public void wake() {}
    }
}
