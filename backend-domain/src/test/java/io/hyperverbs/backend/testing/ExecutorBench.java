package io.hyperverbs.backend.testing;

import io.hyperverbs.backend.event.EventRoutes;
import io.hyperverbs.backend.gsi.GsiPort;
import io.hyperverbs.backend.journal.Journal;
import io.hyperverbs.backend.journal.JournalException;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.sa.NeighbourHcas;
import io.hyperverbs.backend.session.DataPaths;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionSettings;
import io.hyperverbs.backend.verbs.DeviceServices;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.backend.verbs.SessionTeardown;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An executor on a machine and an HCA in this process. */
public final class ExecutorBench implements AutoCloseable {
    public static final int RAM_FRAMES = 256;

    private final Arena arena = Arena.ofShared();
    public final Faults faults = new Faults();
    public final FakeMachine machine = new FakeMachine(arena, faults);
    public final FakeHca hca;
    public final EventRoutes routes = new EventRoutes();
    public final Journal journal;
    public final Management management;
    public final DeviceServices services;
    public final RequestExecutor executor;
    public final SessionTeardown teardown;
    private final Map<Integer, MappedExtent> ram = new HashMap<>();
    private final Map<Integer, Long> requestIds = new HashMap<>();
    private long nowNanos;
    private int callsLeft = Integer.MAX_VALUE;

    public ExecutorBench(Path stateFolder) {
        this(stateFolder, null);
    }

    /** {@code faultsOfHca}: the HCA's own; null: the same as the machine's. */
    public ExecutorBench(Path stateFolder, Faults faultsOfHca) {
        this(stateFolder, faultsOfHca, PortSettings.standard(1, 2048), GsiPort.none(), NeighbourHcas.none());
    }

    /** With a wire to other HCAs. */
    public ExecutorBench(Path stateFolder, PortSettings ports, GsiPort gsi, NeighbourHcas neighbours) {
        this(stateFolder, null, ports, gsi, neighbours);
    }

    private ExecutorBench(
            Path stateFolder, Faults faultsOfHca, PortSettings ports, GsiPort gsi, NeighbourHcas neighbours) {
        hca = new FakeHca(faultsOfHca == null ? faults : faultsOfHca);
        try {
            journal = Journal.open(stateFolder, Clock.systemUTC());
            management = new Management(ports, () -> nowNanos, gsi, neighbours);
            services = new DeviceServices(
                    hca,
                    HcaLimits.standard(),
                    ports,
                    machine,
                    machine.allocateFrames(FrameKind.EVENT, 1),
                    routes,
                    () -> {},
                    management);
            executor = new RequestExecutor(services, journal, () -> nowNanos);
            teardown = new SessionTeardown(services);
        } catch (HypercallException | JournalException e) {
            throw new AssertionError(e);
        }
    }

    public Session session(int domain, Map<String, String> settings) {
        return session(domain, false, settings);
    }

    /** May open contexts on all paths unless {@code given} says on which. */
    public Session session(int domain, boolean nativeDomain, Map<String, String> given) {
        Map<String, String> settings = new HashMap<>(given);
        // Time stands still here, and no bucket fills.
        settings.putIfAbsent("quota.journal", "1000000000");
        settings.putIfAbsent(DataPaths.SETTING, "bypass,forwarded,forwarded-unary");
        MappedExtent memory = machine.addRam(domain, RAM_FRAMES);
        ram.put(domain, memory);
        try {
            Session session = new Session(
                    domain,
                    "d" + domain,
                    nativeDomain,
                    SessionSettings.of(
                            settings,
                            memory.frames() * FrameRun.FRAME_BYTES,
                            services.ports().pkeyTable()),
                    List.of(new FrameRun(memory.firstMachineFrame(), memory.frames())));
            management.open(session);
            return session;
        } catch (io.hyperverbs.backend.session.Refusal e) {
            throw new AssertionError(e);
        }
    }

    /** Frames of a domain's memory. */
    public FrameRun frames(Session session, int first, int count) {
        return new FrameRun(ram.get(session.domain()).firstMachineFrame() + first, count);
    }

    /** A guest that makes no further call. */
    public static final class GuestDied extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** The guest dies after so many more calls: the one after is not made, and throws. */
    public void dieAfter(int calls) {
        callsLeft = calls;
    }

    public ControlReply call(Session session, ControlRequest request) {
        if (callsLeft-- == 0) {
            throw new GuestDied();
        }
        long id = requestIds.merge(session.domain(), 1L, Long::sum);
        return executor.execute(session, id, request);
    }

    /** Calls what must not be refused. */
    public <R extends ControlReply> R done(Session session, ControlRequest request, Class<R> replyType) {
        ControlReply reply = call(session, request);
        if (!replyType.isInstance(reply)) {
            throw new AssertionError(request + " answered " + reply);
        }
        return replyType.cast(reply);
    }

    /** The same for what answers nothing more. */
    public void ok(Session session, ControlRequest request) {
        var _ = done(session, request, ControlReply.Done.class);
    }

    public void destroy(Session session, ObjectKind kind, long handle) {
        ok(session, new ControlRequest.Destroy(kind, handle));
    }

    public long context(Session session, DataPathKind path) {
        return done(session, new ControlRequest.OpenContext(path), ControlReply.ContextOpened.class)
                .context();
    }

    public long pd(Session session, long context) {
        return done(session, new ControlRequest.AllocatePd(context), ControlReply.PdAllocated.class)
                .pd();
    }

    public long xrcd(Session session, long context) {
        return done(session, new ControlRequest.OpenXrcd(context), ControlReply.PdAllocated.class)
                .pd();
    }

    public long ring(Session session, long context, long bytes, List<FrameRun> frames) {
        return done(session, new ControlRequest.RegisterRing(context, bytes, frames), ControlReply.RingRegistered.class)
                .ring();
    }

    public ControlReply.Refused refused(Session session, ControlRequest request) {
        return done(session, request, ControlReply.Refused.class);
    }

    public void passSeconds(long seconds) {
        nowNanos += seconds * 1_000_000_000L;
    }

    /** What the session's quota says is in use. */
    public static Map<QuotaKind, Long> used(Session session) {
        Map<QuotaKind, Long> used = new EnumMap<>(QuotaKind.class);
        for (QuotaKind kind : QuotaKind.values()) {
            used.put(kind, session.quota().used(kind));
        }
        return used;
    }

    public void passMillis(long millis) {
        nowNanos += millis * 1_000_000L;
        var _ = management.doWork(nowNanos);
    }

    @Override
    public void close() {
        journal.close();
        arena.close();
    }
}
