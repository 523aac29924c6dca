package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.backend.journal.JournalRecord;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.SmallDisk;
import io.hyperverbs.backend.testing.WrittenRecords;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk of the journal is full from a random moment on, with a random number of bytes left,
 * while two guests make and end objects: what creates is refused, all is given back, and nothing
 * that was acknowledged is missing in the journal. {@code -Ddisk.moments=50} for more of them.
 */
@RunsWhenChanged
class DiskFullTest {
    private static final int MOMENTS = Integer.getInteger("disk.moments", 5);
    private static final long SEED = Long.getLong("disk.seed", 20_261_123);
    private static final int DISK_MEBIBYTES = 24;
    private static final int STEPS = 30_000;
    private static final int MOST_OBJECTS = 200;

    private static final Map<String, String> QUOTAS = Map.of(
            "quota.pd", "1000", "quota.ah", "1000", "quota.control-rate", "1000000000", "quota.journal", "1000000000");

    @TempDir
    Path folder;

    @Test
    void whatCreatesIsRefusedWhatEndsGoesOnAndNothingAcknowledgedIsLost() throws Exception {
        Assumptions.assumeTrue(SmallDisk.isPossible(), "only root may mount a small disk");
        int refusals = 0;
        for (int moment = 0; moment < MOMENTS; moment++) {
            Path mount = Files.createDirectory(folder.resolve("m" + moment));
            try (SmallDisk disk = SmallDisk.mount(mount, DISK_MEBIBYTES)) {
                refusals += new Moment(disk, SEED + moment).play();
            }
        }
        // Else the disk was full in no moment that mattered.
        assertThat(refusals).as("seed %d", SEED).isPositive();
    }

    /** One machine. */
    private static final class Moment {
        private final SmallDisk disk;
        private final long seed;
        private final Random random;
        private final List<Guest> guests = new ArrayList<>();
        private int refused;

        Moment(SmallDisk disk, long seed) {
            this.disk = disk;
            this.seed = seed;
            this.random = new Random(seed);
        }

        int play() throws Exception {
            try (ExecutorBench bench = new ExecutorBench(disk.folder())) {
                for (int domain = 1; domain <= 2; domain++) {
                    guests.add(new Guest(bench, bench.session(domain, QUOTAS)));
                }
                int full = random.nextInt(STEPS / 2);
                boolean again = random.nextBoolean();
                for (int step = 0; step < STEPS; step++) {
                    if (step == full) {
                        disk.fillBut(random.nextInt(6 << 20));
                    }
                    guests.get(random.nextInt(guests.size())).step();
                }
                if (again) {
                    disk.empty();
                    await("room again, seed " + seed).until(guests.getFirst()::creates);
                }
                for (Guest guest : guests) {
                    guest.giveAllBack();
                    assertThat(ExecutorBench.used(guest.session).values())
                            .as("seed %d", seed)
                            .allMatch(used -> used == 0);
                    assertThat(bench.teardown.close(guest.session))
                            .as("seed %d", seed)
                            .isZero();
                }
            }
            expectNothingLost();
            return refused;
        }

        private void expectNothingLost() throws Exception {
            Map<Long, JournalRecord.Phase> found = new HashMap<>();
            for (JournalRecord record : WrittenRecords.of(disk.folder())) {
                found.put(key(record.domain(), record.requestId()), record.phase());
            }
            for (Guest guest : guests) {
                for (long id : guest.created) {
                    assertThat(found.get(key(guest.session.domain(), id)))
                            .as("seed %d, request %d of %s", seed, id, guest.session)
                            .isEqualTo(JournalRecord.Phase.COMMIT);
                }
                for (long id : guest.refusedIds) {
                    assertThat(found.get(key(guest.session.domain(), id)))
                            .as("seed %d, request %d of %s", seed, id, guest.session)
                            .isNotEqualTo(JournalRecord.Phase.COMMIT);
                }
            }
        }

        private static long key(int domain, long requestId) {
            return (long) domain << 48 | requestId;
        }

        /** What a guest has, and what it was told. */
        private final class Guest {
            private final ExecutorBench bench;
            private final Session session;
            private final long context;
            private final long pd;
            private final List<Long> pds = new ArrayList<>();
            private final List<Long> ahs = new ArrayList<>();
            private final List<Long> created = new ArrayList<>();
            private final List<Long> refusedIds = new ArrayList<>();
            private long lastId;

            Guest(ExecutorBench bench, Session session) {
                this.bench = bench;
                this.session = session;
                ControlReply.ContextOpened opened =
                        (ControlReply.ContextOpened) call(new ControlRequest.OpenContext(DataPathKind.FORWARDED));
                context = opened.context();
                pd = ((ControlReply.PdAllocated) call(new ControlRequest.AllocatePd(context))).pd();
            }

            private ControlReply call(ControlRequest request) {
                return bench.executor.execute(session, ++lastId, request);
            }

            void step() {
                int live = pds.size() + ahs.size();
                if (live > 0 && (live > MOST_OBJECTS || random.nextInt(100) < 45)) {
                    end(random.nextInt(live));
                } else {
                    var _ = creates();
                }
            }

            boolean creates() {
                boolean makesPd = random.nextBoolean();
                ControlReply reply = call(
                        makesPd
                                ? new ControlRequest.AllocatePd(context)
                                : new ControlRequest.CreateAh(pd, AddressAttributes.of(1)));
                switch (reply) {
                    case ControlReply.PdAllocated made -> pds.add(made.pd());
                    case ControlReply.AhCreated made -> ahs.add(made.ah());
                    case ControlReply.Refused refusal -> {
                        assertThat(refusal.status())
                                .as("seed %d: %s", seed, refusal)
                                .isEqualTo(VerbsStatus.ENOSPC);
                        refused++;
                        refusedIds.add(lastId);
                        return false;
                    }
                    default -> throw new AssertionError(reply);
                }
                created.add(lastId);
                return true;
            }

            private void end(int number) {
                boolean endsPd = number < pds.size();
                destroy(
                        endsPd ? ObjectKind.PD : ObjectKind.AH,
                        endsPd ? pds.remove(number) : ahs.remove(number - pds.size()));
            }

            private void destroy(ObjectKind kind, long handle) {
                assertThat(call(new ControlRequest.Destroy(kind, handle)))
                        .as("seed %d, %s", seed, kind)
                        .isInstanceOf(ControlReply.Done.class);
            }

            void giveAllBack() {
                while (!pds.isEmpty() || !ahs.isEmpty()) {
                    end(0);
                }
                destroy(ObjectKind.PD, pd);
                destroy(ObjectKind.CONTEXT, context);
            }
        }
    }
}
