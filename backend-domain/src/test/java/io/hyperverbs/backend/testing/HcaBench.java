package io.hyperverbs.backend.testing;

import io.hyperverbs.backend.event.EventRoutes;
import io.hyperverbs.backend.journal.Journal;
import io.hyperverbs.backend.journal.JournalException;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.session.DataPaths;
import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionObject;
import io.hyperverbs.backend.session.SessionSettings;
import io.hyperverbs.backend.verbs.DeviceServices;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.backend.verbs.SessionTeardown;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** An executor on a machine in this process with an HCA that executes commands, on this thread, and no data path. */
public final class HcaBench implements AutoCloseable {
    public static final int RAM_FRAMES = 256;

    private static final HcaLimits LIMITS = new HcaLimits(128, 128, 256, 64, 32, 1 << 10, 128, 32, 1, 2048);
    private static final PortSettings PORTS = PortSettings.standard(1, 2048);
    private static final Map<String, String> SETTINGS = Map.of(
            "quota.journal",
            "1000000000",
            "quota.control-rate",
            "1000000000",
            "quota.qp",
            "24",
            "quota.cq",
            "24",
            "quota.mr",
            "48",
            "quota.uar",
            "4",
            DataPaths.SETTING,
            "bypass,forwarded,forwarded-unary");

    private final Arena arena = Arena.ofShared();
    public final FakeMachine machine = new FakeMachine(arena, new Faults());
    public final Journal journal;
    public final RequestExecutor executor;
    public final SessionTeardown teardown;
    private final Management management;
    private final MemorySegment context;
    private final List<Session> sessions = new ArrayList<>();

    /** {@code keys} is what the HCA draws its keys and numbers from. */
    public HcaBench(Path stateFolder, RandomGenerator keys) {
        try {
            MappedExtent status = machine.allocateFrames(FrameKind.EVENT, 1);
            long contextFrames = (Hca.contextMemoryBytes(LIMITS) - 1) / FrameRun.FRAME_BYTES + 1;
            MappedExtent onBoard = machine.allocateFrames(FrameKind.CONTEXT, contextFrames);
            context = onBoard.memory();
            Hca hca = new Hca(
                    machine.machineMemory(),
                    () -> {},
                    new NoSleep(),
                    LIMITS,
                    PORTS,
                    Network.none(),
                    onBoard.firstMachineFrame() * FrameRun.FRAME_BYTES,
                    status.firstMachineFrame() * FrameRun.FRAME_BYTES,
                    keys);
            journal = Journal.open(stateFolder, Clock.systemUTC());
            management = new Management(PORTS, () -> 0);
            DeviceServices services =
                    new DeviceServices(hca, LIMITS, PORTS, machine, status, new EventRoutes(), () -> {}, management);
            executor = new RequestExecutor(services, journal, () -> 0);
            teardown = new SessionTeardown(services);
        } catch (HypercallException | JournalException e) {
            throw new AssertionError(e);
        }
    }

    /** A domain that comes. */
    public Session session(int domain, RandomGenerator handles) {
        MappedExtent memory = machine.addRam(domain, RAM_FRAMES);
        try {
            Session session = new Session(
                    domain,
                    "d" + domain,
                    false,
                    new SessionSettings(ShareInit.STANDARD, quota(), DataPaths.of(SETTINGS), PORTS.pkeyTable()),
                    List.of(new FrameRun(memory.firstMachineFrame(), memory.frames())),
                    handles);
            management.open(session);
            sessions.add(session);
            return session;
        } catch (Refusal e) {
            throw new AssertionError(e);
        }
    }

    /** What each domain may have. */
    public static Quota quota() {
        try {
            return Quota.of(SETTINGS, (long) RAM_FRAMES * FrameRun.FRAME_BYTES);
        } catch (Refusal e) {
            throw new AssertionError(e);
        }
    }

    /** The memory of the HCA itself. */
    public MemorySegment contextMemory() {
        return context;
    }

    /** All objects of a session, by handle, with the number of those that need each. */
    public static List<String> objects(Session session) {
        return Stream.of(
                        session.contexts(),
                        session.pds(),
                        session.regions(),
                        session.rings(),
                        session.cqs(),
                        session.qps(),
                        session.ahs(),
                        session.srqs(),
                        session.windows())
                .<SessionObject>flatMap(table -> table.objects().stream())
                .map(object -> object.getClass().getSimpleName() + " " + object.handle() + " " + object.references())
                .toList();
    }

    public List<Session> sessions() {
        return sessions;
    }

    @Override
    public void close() {
        sessions.stream().filter(session -> !session.isClosed()).forEach(teardown::close);
        management.close();
        journal.close();
        arena.close();
    }
}
