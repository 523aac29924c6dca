package io.hyperverbs.tests.fuzz;

import io.hyperverbs.backend.event.EventRoutes;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionSettings;
import io.hyperverbs.backend.verbs.DeviceServices;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.backend.verbs.SessionTeardown;
import io.hyperverbs.hca.DoorbellSleep;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.lab.run.inprocess.Frames;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * A backend with its HCA and two sessions: the attacker's, with little of everything, and a
 * victim's that has one of each object. What the attacker does must leave the victim as it was, and
 * must be gone when its session ends.
 */
final class BackendScene implements AutoCloseable {
    private static final HcaLimits LIMITS = new HcaLimits(32, 32, 64, 32, 8, 1024, 32, 8, 1, 2048);
    private static final PortSettings PORTS = PortSettings.standard(1, 2048);
    private static final int RAM_FRAMES = 64;
    private static final int OTHER_FRAMES = 512;
    private static final Map<String, String> SMALL =
            Map.of("quota.qp", "4", "quota.cq", "4", "quota.mr", "6", "quota.pd", "4");

    private static final class NoSleep implements DoorbellSleep {
        @Override
        public void sleep(long maxNanos) {}

        @Override
        public void wake() {}
    }

    private final Arena arena = Arena.ofShared();
    private final Frames frames;
    private final Hca hca;
    private final Management management;
    private final RequestExecutor executor;
    private final SessionTeardown teardown;
    private final Session attacker;
    private final Session victim;
    private final List<Long> known = new ArrayList<>();
    private final ObjectSet victims;
    private final Map<QuotaKind, Long> victimUses;
    private final long victimPins;
    private long now = 1_000_000_000L;
    private long attackerId;
    private long victimId;

    BackendScene() {
        this(SMALL, (arena, bytes) -> arena.allocate(bytes, FrameRun.FRAME_BYTES));
    }

    /**
     * @param settings of the attacker
     * @param memory makes zeroed machine memory of so many bytes
     */
    BackendScene(Map<String, String> settings, BiFunction<Arena, Long, MemorySegment> memory) {
        frames = new Frames(memory.apply(arena, (2L * RAM_FRAMES + OTHER_FRAMES) * FrameRun.FRAME_BYTES));
        try {
            MappedExtent status = frames.allocateFrames(FrameKind.EVENT, 1);
            MappedExtent context = frames.allocateFrames(FrameKind.CONTEXT, Hca.contextMemoryBytes(LIMITS) / 4096 + 1);
            hca = new Hca(
                    frames.machineMemory(),
                    () -> {},
                    new NoSleep(),
                    LIMITS,
                    PORTS,
                    Network.none(),
                    context.firstMachineFrame() * FrameRun.FRAME_BYTES,
                    status.firstMachineFrame() * FrameRun.FRAME_BYTES,
                    new SplittableRandom(5));
            management = new Management(PORTS, () -> now);
            DeviceServices services =
                    new DeviceServices(hca, LIMITS, PORTS, frames, status, new EventRoutes(), () -> {}, management);
            executor = new RequestExecutor(services, FuzzJournal.get(), () -> now);
            teardown = new SessionTeardown(services);
            attacker = session(1, settings);
            victim = session(2, Map.of());
            victims = new ObjectSet(this::asVictim, victim.ram().getFirst().firstFrame());
        } catch (HypercallException | Refusal e) {
            throw new IllegalStateException(e);
        }
        victimUses = uses(victim);
        victimPins = frames.pinned();
        FrameRun ram = attacker.ram().getFirst();
        FrameRun foreign = victim.ram().getFirst();
        known.addAll(victims.handles());
        known.addAll(List.of(0x7f00_0000_0000L, 4096L, foreign.firstFrame(), ram.firstFrame() + 8, ram.firstFrame()));
    }

    private Session session(int domain, Map<String, String> settings) throws Refusal {
        MappedExtent ram = frames.take(domain, FrameKind.RAM, RAM_FRAMES);
        Session session = new Session(
                domain,
                domain == 1 ? "a" : "b",
                false,
                SessionSettings.of(settings, (long) RAM_FRAMES * FrameRun.FRAME_BYTES, PORTS.pkeyTable()),
                List.of(new FrameRun(ram.firstMachineFrame(), RAM_FRAMES)));
        management.open(session);
        return session;
    }

    private ControlReply asVictim(ControlRequest request) {
        return executor.execute(victim, ++victimId, request);
    }

    /** A verb of the attacker's driver. */
    ControlReply asAttacker(ControlRequest request) {
        return executor.execute(attacker, ++attackerId, request);
    }

    /** The attacker's RAM. */
    FrameRun ram() {
        return attacker.ram().getFirst();
    }

    MemorySegment machineMemory() {
        return frames.machineMemory();
    }

    /** What the attacker has of each, and all pins. */
    List<Long> counts() {
        List<Long> counts = new ArrayList<>(uses(attacker).values());
        counts.add(frames.pinned());
        return counts;
    }

    ChannelCalls channel() {
        return new ChannelCalls(attacker, executor);
    }

    /** Numbers that mean something here, the attacker's newest last. */
    List<Long> known() {
        return known;
    }

    void learn(long number) {
        known.add(number);
    }

    /** Time passes, and the HCA works. */
    void work() {
        now += 1_000_000;
        for (int i = 0; i < 100 && hca.engine().doWork(now) > 0; i++) {
            // Bounded: a queue pair may have reason to work on and on.
        }
        int _ = management.doWork(now);
    }

    void assertWithinQuota() {
        for (QuotaKind kind : QuotaKind.values()) {
            long used = attacker.quota().used(kind);
            if (used < 0 || used > attacker.quota().max(kind)) {
                throw new AssertionError(kind + ": " + used);
            }
        }
    }

    private static Map<QuotaKind, Long> uses(Session session) {
        Map<QuotaKind, Long> uses = new EnumMap<>(QuotaKind.class);
        for (QuotaKind kind : QuotaKind.values()) {
            uses.put(kind, session.quota().used(kind));
        }
        return uses;
    }

    /** Ends the attacker's session; nothing of it may be left, and the victim is as it was. */
    void judge() {
        work();
        if (hca.hasFailed()) {
            throw new AssertionError("the HCA failed");
        }
        int left = teardown.close(attacker);
        uses(attacker).forEach((kind, used) -> {
            if (used != 0) {
                throw new AssertionError(kind + ": " + used + " left");
            }
        });
        if (left != 0 || frames.pinned() != victimPins) {
            throw new AssertionError(left + " objects, " + frames.pinned() + " pins left");
        }
        if (!uses(victim).equals(victimUses) || !victims.isThere()) {
            throw new AssertionError("the victim is not as it was: " + uses(victim));
        }
    }

    @Override
    public void close() {
        int _ = teardown.close(attacker);
        int _ = teardown.close(victim);
        management.close();
        arena.close();
    }
}
