package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Frames are deregistered while writes into them are under way, and are another domain's at once:
 * not a byte of its canary changes. {@code -Dhv.races=100000} makes the long run of it.
 */
@Timeout(3600)
class DeregistrationRaceTest {
    private static final int RACES = Integer.getInteger("hv.races", 20_000);
    private static final int BYTES = 128 << 10;
    private static final int CANARY = 8 << 10;
    private static final long TARGET = 0x10000;

    private final HcaFixture fixture = new HcaFixture();
    private final Guest attacker = fixture.guest(1);
    private final Guest neighbour = fixture.guest(2);
    private final TestQp a = TestQp.of(QpType.UC, fixture, attacker);
    private final TestQp b = TestQp.of(QpType.UC, fixture, attacker);
    private final Buffer from = attacker.buffer(BYTES);
    private final long frames = fixture.allocate(BYTES);

    @Test
    void noByteLandsInFramesThatAreSomebodyElsesNow() {
        MemorySegment _ = fixture.memory.asSlice(from.machine(), BYTES).fill((byte) 1);
        // The end is written last: that is where late bytes would land.
        MemorySegment end = fixture.memory.asSlice(frames + BYTES - CANARY, CANARY);
        MemorySegment canary = MemorySegment.ofArray(new byte[CANARY]).fill((byte) 2);
        SplittableRandom dice = new SplittableRandom(20061);
        int amid = 0;
        try (EngineRunner runner = new EngineRunner(fixture.hca).start()) {
            TestQp.connectUc(a, b);
            for (int race = 0; race < RACES; race++) {
                MemorySegment _ = end.fill((byte) 0);
                HcaCommands.Keyed mine = region(attacker);
                a.rdma(race, SendWqeLayout.OPCODE_RDMA_WRITE, TestQp.SIGNALLED, from, BYTES, TARGET, mine.rkey());
                for (int spins = dice.nextInt(400); spins > 0; spins--) {
                    Thread.onSpinWait();
                }

                assertThat(fixture.hca.destroyRegion(mine.region())).isEqualTo(VerbsStatus.SUCCESS);
                amid += end.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0) == 0 ? 1 : 0;
                HcaCommands.Keyed theirs = region(neighbour);
                end.copyFrom(canary);

                // UC tells nobody of a key that is gone.
                assertThat(next(a).status()).isEqualTo(VerbsStatus.SUCCESS);
                assertThat(end.mismatch(canary)).as("race %d", race).isEqualTo(-1);
                assertThat(fixture.hca.destroyRegion(theirs.region())).isEqualTo(VerbsStatus.SUCCESS);
            }
            assertThat(runner.thread().isAlive()).isTrue();
        }
        assertThat(amid).as("deregistrations before the last byte").isPositive();
    }

    private HcaCommands.Keyed region(Guest guest) {
        HcaCommands.Keyed made = fixture.hca.createRegion(
                new HcaCommands.RegionInit(guest.pd, TARGET, BYTES, 15, List.of(new MachineRun(frames, BYTES)), 0));
        assertThat(made.status()).isEqualTo(VerbsStatus.SUCCESS);
        return made;
    }

    private static WorkCompletion next(TestQp qp) {
        WaitingPolicy waiting = WaitingPolicy.yielding();
        WorkCompletion completion = qp.cq.poll();
        while (completion == null) {
            boolean _ = waiting.idle();
            completion = qp.cq.poll();
        }
        return completion;
    }
}
