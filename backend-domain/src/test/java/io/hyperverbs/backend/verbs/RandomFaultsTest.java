package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.Faults;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hypercalls that fail at any moment, giving back among them; {@code -Dfaults=10000} for long. */
class RandomFaultsTest {
    private static final long FAULTS = Long.getLong("faults", 1000);
    private static final int SESSIONS = 3;
    private static final int STEPS = 150;
    private static final int ONE_IN = 4;

    @TempDir
    Path state;

    /** A session and the handles that it was given, of which some are no more. */
    private record Guest(Session session, Map<ObjectKind, List<Long>> handles) {
        long any(ObjectKind kind, Random dice) {
            List<Long> those = handles.getOrDefault(kind, List.of());
            return those.isEmpty() ? 0 : those.get(dice.nextInt(those.size()));
        }

        void add(ObjectKind kind, long handle) {
            handles.computeIfAbsent(kind, _ -> new ArrayList<>()).add(handle);
        }
    }

    @Test
    void nothingIsLeftOnceTheyStop() throws Exception {
        long seed = Long.getLong("seed", new SecureRandom().nextLong());
        Random dice = new Random(seed);
        long made = 0;
        for (int round = 0; made < FAULTS; round++) {
            Path folder = Files.createDirectory(state.resolve("round-" + round));
            try (ExecutorBench bench = new ExecutorBench(folder, new Faults())) {
                play(bench, dice, "seed " + seed + ", round " + round);
                made += bench.faults.made();
            }
        }
        System.out.println(made + " faults, seed " + seed);
    }

    private static void play(ExecutorBench bench, Random dice, String which) {
        FakeMachine.Counters machine = bench.machine.counters();
        Set<String> hca = bench.hca.live();
        List<Guest> guests = new ArrayList<>();
        for (int domain = 1; domain <= SESSIONS; domain++) {
            guests.add(new Guest(bench.session(domain, Map.of()), new EnumMap<>(ObjectKind.class)));
        }
        bench.faults.atRandom(dice, ONE_IN);
        for (int step = 0; step < STEPS; step++) {
            bench.passSeconds(1);
            act(bench, guests.get(dice.nextInt(SESSIONS)), dice);
        }
        boolean alsoAtTheEnd = dice.nextBoolean();
        if (!alsoAtTheEnd) {
            bench.faults.none();
            for (Guest guest : guests) {
                // With its next verb a session gives back what it could not before.
                var _ = bench.call(guest.session(), new ControlRequest.QueryPort(0, 1));
                assertThat(guest.session().leftovers().retry()).as(which).isZero();
            }
        }
        for (Guest guest : guests) {
            int left = bench.teardown.close(guest.session());
            assertThat(left).as(which).isGreaterThanOrEqualTo(0);
        }
        bench.faults.none();
        for (Guest guest : guests) {
            assertThat(bench.teardown.close(guest.session())).as(which).isZero();
            assertThat(ExecutorBench.used(guest.session()).values()).as(which).allMatch(used -> used == 0);
        }
        assertThat(bench.machine.counters()).as(which).isEqualTo(machine);
        assertThat(bench.hca.live()).as(which).isEqualTo(hca);

        Session after = bench.session(SESSIONS + 1, Map.of());
        for (DataPathKind path : DataPathKind.values()) {
            assertThat(SessionObjects.create(bench, after, path).qp()).as(which).isNotZero();
            assertThat(bench.teardown.close(after)).as(which).isZero();
            after = bench.session(SESSIONS + 2 + path.ordinal(), Map.of());
        }
        assertThat(bench.machine.counters()).as(which).isEqualTo(machine);
    }

    private static void act(ExecutorBench bench, Guest guest, Random dice) {
        try {
            note(guest, bench.call(guest.session(), request(bench, guest, dice)));
        } catch (VirtualMachineError planted) {
            assertThat(planted).hasMessage("planted");
        }
    }

    private static void note(Guest guest, ControlReply reply) {
        switch (reply) {
            case ControlReply.ContextOpened r -> guest.add(ObjectKind.CONTEXT, r.context());
            case ControlReply.PdAllocated r -> guest.add(ObjectKind.PD, r.pd());
            case ControlReply.MemoryRegistered r -> guest.add(ObjectKind.REGION, r.region());
            case ControlReply.RingRegistered r -> guest.add(ObjectKind.RING, r.ring());
            case ControlReply.CqCreated r -> guest.add(ObjectKind.CQ, r.cq());
            case ControlReply.QpCreated r -> guest.add(ObjectKind.QP, r.qp());
            case ControlReply.SrqCreated r -> guest.add(ObjectKind.SRQ, r.srq());
            case ControlReply.WindowAllocated r -> guest.add(ObjectKind.WINDOW, r.window());
            default -> {}
        }
    }

    private static ControlRequest request(ExecutorBench bench, Guest guest, Random dice) {
        long context = guest.any(ObjectKind.CONTEXT, dice);
        long pd = guest.any(ObjectKind.PD, dice);
        long cq = guest.any(ObjectKind.CQ, dice);
        long ring = dice.nextBoolean() ? guest.any(ObjectKind.RING, dice) : 0;
        return switch (dice.nextInt(10)) {
            case 0 -> new ControlRequest.OpenContext(DataPathKind.values()[dice.nextInt(DataPathKind.values().length)]);
            case 1 -> new ControlRequest.AllocatePd(context);
            case 2 -> SessionObjects.register(pd, bench.frames(guest.session(), dice.nextInt(64), 1 + dice.nextInt(8)));
            case 3 ->
                new ControlRequest.RegisterRing(
                        context,
                        SessionObjects.qpBytes(),
                        List.of(SessionObjects.ringFrames(
                                bench, guest.session(), 64 + 16 * dice.nextInt(8), SessionObjects.qpBytes())));
            case 4 -> new ControlRequest.CreateCq(context, SessionObjects.CQ_ENTRIES, ring, true);
            case 5 -> SessionObjects.createQp(pd, cq, ring);
            case 6 -> new ControlRequest.CreateSrq(pd, SessionObjects.SRQ_LIMITS, ring);
            case 7 -> new ControlRequest.AllocateWindow(pd, 2);
            default -> {
                ObjectKind kind = ObjectKind.values()[dice.nextInt(ObjectKind.values().length)];
                yield new ControlRequest.Destroy(kind, guest.any(kind, dice));
            }
        };
    }
}
