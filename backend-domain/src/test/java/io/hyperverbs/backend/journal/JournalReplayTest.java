package io.hyperverbs.backend.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.HcaBench;
import io.hyperverbs.backend.testing.RandomVerbs;
import io.hyperverbs.backend.testing.WrittenRecords;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.io.PrivilegedVerb;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a journal keeps is enough to make an empty HCA what the other one was. */
class JournalReplayTest {
    private static final int VERBS = 10_000;
    private static final int ENDS_AFTER = 7_000;
    private static final int GUESTS = 3;
    private static final int KIND_SHIFT = 16;
    private static final int KIND_MASK = 15;
    private static final int GENERATION_SHIFT = 20;
    private static final long SEED = Long.getLong("seed", 20_260_101);

    @TempDir
    Path folder;

    @Test
    void anEmptyHcaBecomesWhatTheOtherWas() throws Exception {
        try (HcaBench first = new HcaBench(folder.resolve("first"), new SplittableRandom(SEED))) {
            record(first);
            List<JournalRecord> records = WrittenRecords.of(folder.resolve("first"));
            Drawn drawn = new Drawn();

            try (HcaBench second = new HcaBench(folder.resolve("second"), drawn)) {
                Map<PrivilegedVerb, Integer> done = replay(records, second, drawn);

                for (PrivilegedVerb verb : PrivilegedVerb.values()) {
                    if (!verb.isQuery() && !verb.isManagement()) {
                        assertThat(done).as("seed %d", SEED).containsKey(verb);
                    }
                }
                assertSame(first, second);
            }
        }
    }

    private static void record(HcaBench bench) {
        SplittableRandom random = new SplittableRandom(SEED + 1);
        RandomVerbs verbs = new RandomVerbs(random.split());
        List<Session> guests = new ArrayList<>();
        for (int domain = 1; domain <= GUESTS; domain++) {
            guests.add(bench.session(domain, random.split()));
        }
        for (int id = 1; id <= VERBS; id++) {
            if (id == ENDS_AFTER) {
                end(bench, guests.removeLast());
            }
            Session guest = guests.get(random.nextInt(guests.size()));
            ControlReply _ = bench.executor.execute(guest, id, verbs.next(guest));
        }
    }

    private static void end(HcaBench bench, Session guest) {
        try {
            assertThat(bench.teardown.close(guest)).isZero();
            bench.journal.ended(guest.domain(), guest.name(), 0, 0);
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    /** Carries out what was done, and gets the replies that the journal has; how often each verb. */
    private static Map<PrivilegedVerb, Integer> replay(List<JournalRecord> records, HcaBench bench, Drawn drawn) {
        Map<Integer, Session> guests = new HashMap<>();
        for (int domain = 1; domain <= GUESTS; domain++) {
            guests.put(domain, bench.session(domain, new FirstGenerations(records, domain)));
        }
        Map<PrivilegedVerb, Integer> done = new EnumMap<>(PrivilegedVerb.class);
        Map<Long, ControlRequest> intents = new HashMap<>();
        for (JournalRecord record : records) {
            Session guest = guests.get(record.domain());
            switch (record.phase()) {
                case INTENT -> intents.put(record.requestId(), record.request());
                case COMMIT -> {
                    ControlRequest request = intents.remove(record.requestId());
                    drawn.feed(record.reply());
                    PrivilegedVerb verb = PrivilegedVerb.of(request);
                    long counted = counted(verb, guest);
                    ControlReply reply = bench.executor.execute(guest, record.requestId(), request);
                    assertThat(reply).as("%s of seed %d", request, SEED).isEqualTo(record.reply());
                    assertThat(drawn.left).as("%s", request).isEmpty();
                    if (verb.gives() != null) {
                        assertThat(handle(reply) >>> KIND_SHIFT & KIND_MASK)
                                .as("%s", request)
                                .isEqualTo(verb.gives().code());
                        assertThat(counted(verb, guest)).as("%s", request).isEqualTo(counted + 1);
                    }
                    done.merge(verb, 1, Integer::sum);
                }
                case ENDED -> end(bench, guest);
                // What was done and taken back may have moved what is drawn next.
                case UNDONE ->
                    assertThat(bench.executor.execute(guest, record.requestId(), intents.remove(record.requestId())))
                            .isEqualTo(new ControlReply.Refused(record.status(), record.words()));
                case DENIED, VIOLATION, BEGUN -> {}
            }
        }
        assertThat(intents).isEmpty();
        return done;
    }

    /** What the session has of the quota that the verb counts. */
    private static long counted(PrivilegedVerb verb, Session guest) {
        return Arrays.stream(QuotaKind.values())
                .filter(kind -> kind.key().equals(verb.quota()))
                .mapToLong(kind -> guest.quota().used(kind))
                .sum();
    }

    private static long handle(ControlReply reply) {
        return switch (reply) {
            case ControlReply.ContextOpened r -> r.context();
            case ControlReply.PdAllocated r -> r.pd();
            case ControlReply.MemoryRegistered r -> r.region();
            case ControlReply.RingRegistered r -> r.ring();
            case ControlReply.CqCreated r -> r.cq();
            case ControlReply.QpCreated r -> r.qp();
            case ControlReply.AhCreated r -> r.ah();
            case ControlReply.SrqCreated r -> r.srq();
            case ControlReply.WindowAllocated r -> r.window();
            default -> 0;
        };
    }

    private static void assertSame(HcaBench first, HcaBench second) {
        assertThat(first.contextMemory().mismatch(second.contextMemory()))
                .as("first byte of context memory that differs, seed %d", SEED)
                .isEqualTo(-1);
        assertThat(second.machine.counters()).isEqualTo(first.machine.counters());
        for (int i = 0; i < GUESTS; i++) {
            Session was = first.sessions().get(i);
            Session is = second.sessions().get(i);
            assertThat(HcaBench.objects(is)).isEqualTo(HcaBench.objects(was));
            assertThat(ExecutorBench.used(is)).isEqualTo(ExecutorBench.used(was));
        }
        assertThat(HcaBench.objects(first.sessions().getFirst())).hasSizeGreaterThan(20);
    }

    /** Keys and numbers that an HCA drew, to be drawn again: the journal's replies have them. */
    private static final class Drawn implements RandomGenerator {
        private static final int TAG_BITS = 8;

        private final Deque<Integer> left = new ArrayDeque<>();

        void feed(ControlReply reply) {
            switch (reply) {
                case ControlReply.MemoryRegistered r -> {
                    key(r.lkey());
                    if (r.rkey() != 0) {
                        key(r.rkey());
                    }
                }
                case ControlReply.WindowAllocated r -> key(r.rkey());
                case ControlReply.QpCreated r -> left.add(r.qpn());
                case ControlReply.SrqCreated r -> left.add(r.srqn());
                case ControlReply.AhCreated r -> left.add(r.number());
                default -> {
                    // Others draw nothing.
                }
            }
        }

        private void key(int key) {
            left.add(key >>> TAG_BITS);
            left.add(key & (1 << TAG_BITS) - 1);
        }

        @Override
        public int nextInt(int bound) {
            return left.remove();
        }

        @Override
        public long nextLong() {
            throw new AssertionError("drawn, and not in the journal");
        }
    }

    /** The generations with which the slots of a session's tables began, in the order in which they are drawn. */
    private static final class FirstGenerations implements RandomGenerator {
        /** Tables as a session makes them. */
        private static final Map<ObjectKind, QuotaKind> TABLES = new LinkedHashMap<>();

        static {
            TABLES.put(ObjectKind.CONTEXT, QuotaKind.UAR);
            TABLES.put(ObjectKind.PD, QuotaKind.PD);
            TABLES.put(ObjectKind.REGION, QuotaKind.MR);
            TABLES.put(ObjectKind.RING, QuotaKind.RING);
            TABLES.put(ObjectKind.CQ, QuotaKind.CQ);
            TABLES.put(ObjectKind.QP, QuotaKind.QP);
            TABLES.put(ObjectKind.AH, QuotaKind.AH);
            TABLES.put(ObjectKind.SRQ, QuotaKind.SRQ);
            TABLES.put(ObjectKind.WINDOW, QuotaKind.MW);
        }

        private final Map<Long, Long> byKindAndSlot = new HashMap<>();
        private final Deque<Long> left = new ArrayDeque<>();

        FirstGenerations(List<JournalRecord> records, int domain) {
            for (JournalRecord record : records) {
                if (record.domain() == domain && record.reply() != null) {
                    long handle = handle(record.reply());
                    byKindAndSlot.putIfAbsent(handle & (1L << GENERATION_SHIFT) - 1, (handle >>> GENERATION_SHIFT) - 1);
                }
            }
            Quota quota = HcaBench.quota();
            TABLES.forEach((kind, counted) -> {
                for (long slot = 0; slot < quota.max(counted); slot++) {
                    left.add(byKindAndSlot.getOrDefault((long) kind.code() << KIND_SHIFT | slot, 1L));
                }
            });
        }

        @Override
        public long nextLong(long origin, long bound) {
            return left.remove();
        }

        @Override
        public long nextLong() {
            throw new AssertionError("drawn otherwise");
        }
    }
}
