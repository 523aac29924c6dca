package io.hyperverbs.backend.forwarded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ProtocolViolation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ForwardedCqTest {
    private static final int ENTRIES = 8;
    private static final long RING = 8192;
    private static final long LARGER_RING = 16384;
    private static final long HANDLE = 42;

    private final MemorySegment machine = Arena.ofAuto().allocate(1 << 16, 4096);
    private final List<Long> events = new ArrayList<>();
    private ForwardedCq cq;
    private int produced;
    private long nanos = 1_000;

    @BeforeEach
    void setUp() {
        Doorbell doorbell = new Doorbell(machine, 0, machine, 4096, () -> {});
        cq = new ForwardedCq(machine, RING, ENTRIES, doorbell, 3, events::add, () -> nanos);
        cq.handle(HANDLE);
    }

    @Test
    void givesEachCompletionOnceAndWrapsTheRing() {
        for (int i = 0; i < 5 * ENTRIES; i++) {
            produce(0);

            CompletionBatch batch = cq.takeNew();

            assertThat(batch).isNotNull();
            assertThat(batch.firstIndex()).isEqualTo(i);
            assertThat(batch.entries()).hasSize(64);
            assertThat(cq.takeNew()).isNull();
            cq.consumed(i + 1);
            assertThat(CqHeaderLayout.consumerIndexAcquire(machine, RING)).isEqualTo(i + 1);
        }
    }

    @Test
    void takesNoMoreThanTheRingHolds() {
        for (int i = 0; i < ENTRIES; i++) {
            produce(0);
        }

        assertThat(cq.takeNew().entries()).hasSize(ENTRIES * 64);
        assertThat(cq.takeNew()).isNull();
    }

    @Test
    void refusesConsumerIndexesBeyondWhatWasSent() {
        produce(0);
        cq.takeNew();
        cq.consumed(1);

        for (int index : new int[] {2, 0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> cq.consumed(index)).isInstanceOf(ProtocolViolation.class);
        }
    }

    @Test
    void firesOnceForAnArmedQueue() {
        cq.armForStream(false, 0);
        produce(0);
        produce(0);

        cq.takeNew();

        assertThat(events).containsExactly(HANDLE);
    }

    @Test
    void firesAtOnceForACompletionThatIsOnItsWayAlready() {
        produce(0);
        cq.takeNew();

        cq.armForStream(false, 0);

        assertThat(events).containsExactly(HANDLE);
    }

    @Test
    void waitsForASolicitedCompletionOrAnError() {
        cq.armForStream(true, 0);
        produce(0);
        cq.takeNew();
        assertThat(events).isEmpty();

        produce(CqeLayout.FLAG_SOLICITED);
        cq.takeNew();
        assertThat(events).hasSize(1);

        cq.armForStream(true, 2);
        produceError();
        cq.takeNew();
        assertThat(events).hasSize(2);
    }

    @Test
    void doesNotNarrowAnArmForAny() {
        cq.armForStream(false, 0);
        cq.armForStream(true, 0);
        produce(0);

        cq.takeNew();

        assertThat(events).hasSize(1);
    }

    @Test
    void sendsAgainWhatANewStreamHasNotSeen() {
        produce(0);
        produce(0);
        cq.takeNew();
        cq.consumed(1);

        cq.rewind();

        assertThat(cq.takeNew().firstIndex()).isEqualTo(1);
    }

    @Test
    void givesTheSameCompletionsToAPollThatIsRepeated() {
        produce(0);
        produce(0);

        CompletionBatch first = cq.poll(0, 1);
        CompletionBatch again = cq.poll(0, 16);
        CompletionBatch rest = cq.poll(1, 16);

        assertThat(first.entries()).hasSize(64);
        assertThat(again.entries()).hasSize(128);
        assertThat(rest.firstIndex()).isEqualTo(1);
        assertThat(rest.entries()).hasSize(64);
        assertThat(cq.poll(2, -5).entries()).isEmpty();
    }

    @Test
    void touchesNothingOnceClosed() {
        produce(0);
        cq.close();
        MemorySegment before = Arena.ofAuto().allocate(1 << 16).copyFrom(machine);

        cq.consumed(5);
        cq.armForCalls(false, 0);
        cq.armForPump();

        assertThat(cq.takeNew()).isNull();
        assertThat(machine.mismatch(before)).isEqualTo(-1);
    }

    @Test
    void goesOnInOtherMemory() {
        for (int i = 0; i < ENTRIES; i++) {
            produce(0);
        }
        cq.takeNew();
        cq.consumed(1);

        VerbsStatus status = cq.resize(LARGER_RING, 2 * ENTRIES, 2, () -> VerbsStatus.SUCCESS);

        assertThat(status).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(CqHeaderLayout.consumerIndexAcquire(machine, LARGER_RING)).isEqualTo(2);
        assertThat(cq.poll(2, 16).entries()).hasSize((ENTRIES - 2) * 64);
    }

    @Test
    void ignoresIndexesThatAResizeHasOvertaken() {
        for (int i = 0; i < 4; i++) {
            produce(0);
        }
        cq.takeNew();
        cq.consumed(1);
        cq.resize(LARGER_RING, 2 * ENTRIES, 4, () -> VerbsStatus.SUCCESS);

        cq.consumed(2);
        cq.consumed(3);

        assertThat(CqHeaderLayout.consumerIndexAcquire(machine, LARGER_RING)).isEqualTo(4);
        assertThatThrownBy(() -> cq.consumed(2)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void anArmThatAResizeHasOvertakenFiresAtOnce() {
        produce(0);
        cq.takeNew();
        cq.resize(LARGER_RING, 2 * ENTRIES, 1, () -> VerbsStatus.SUCCESS);

        cq.armForStream(true, 0);

        assertThat(events).containsExactly(HANDLE);
    }

    @Test
    void staysWhereItIsWhenTheHcaRefuses() {
        produce(0);

        VerbsStatus status = cq.resize(LARGER_RING, 2 * ENTRIES, 0, () -> VerbsStatus.EINVAL);

        assertThat(status).isEqualTo(VerbsStatus.EINVAL);
        assertThat(cq.takeNew().entries()).hasSize(64);
    }

    @Test
    void firesWithTheCompletionThatFillsTheCount() {
        cq.moderate(2, 0);
        cq.armForStream(false, 0);
        produce(0);
        cq.takeNew();
        assertThat(events).isEmpty();

        produce(0);
        cq.takeNew();

        assertThat(events).containsExactly(HANDLE);
    }

    @Test
    void firesWhenThePeriodEnds() {
        cq.moderate(100, 50);
        cq.armForStream(false, 0);
        assertThat(cq.nanosToPeriodEnd()).isEqualTo(Long.MAX_VALUE);
        produce(0);
        cq.takeNew();
        nanos += 49_999;
        cq.takeNew();
        assertThat(cq.nanosToPeriodEnd()).isEqualTo(1);
        assertThat(events).isEmpty();

        nanos += 1;
        cq.takeNew();

        assertThat(events).containsExactly(HANDLE);
        assertThat(cq.nanosToPeriodEnd()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void givesTheEventOwedWhenModerationEnds() {
        cq.moderate(3, 0);
        cq.armForStream(false, 0);
        produce(0);
        produce(0);
        cq.takeNew();

        cq.moderate(0, 0);

        assertThat(events).containsExactly(HANDLE);
    }

    @Test
    void staysArmedForSolicitedOnesWhenAskedTwice() {
        cq.armForStream(true, 0);
        cq.armForStream(true, 0);
        produce(0);
        cq.takeNew();
        assertThat(events).isEmpty();

        cq.armForStream(false, 1);
        produce(0);
        cq.takeNew();

        assertThat(events).containsExactly(HANDLE);
    }

    @Test
    void givesNothingToPollsForNothingOrOfAClosedQueue() {
        produce(0);
        assertThat(cq.poll(0, 0).entries()).isEmpty();
        assertThat(cq.poll(0, 1).entries()).hasSize(64);

        cq.close();

        assertThat(cq.poll(0, 1).entries()).isEmpty();
        assertThat(cq.resize(LARGER_RING, 2 * ENTRIES, 0, () -> VerbsStatus.SUCCESS))
                .isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void owesNoEventWhenModerationChangesBeforeAnythingCame() {
        cq.moderate(3, 0);
        cq.armForStream(false, 0);

        cq.moderate(1, 0);
        assertThat(events).isEmpty();
        produce(0);
        cq.takeNew();

        assertThat(events).containsExactly(HANDLE);
        cq.moderate(0, 0);
        assertThat(events).hasSize(1);
    }

    private void produce(int flags) {
        write(flags, 0);
    }

    private void produceError() {
        write(0, 5);
    }

    private void write(int flags, int status) {
        long cqe = RING + CqHeaderLayout.SIZE_BYTES + (produced % ENTRIES) * CqeLayout.SIZE_BYTES;
        CqeLayout.write(machine, cqe, produced, status, 128, 8, 17, flags, 0, 0);
        CqeLayout.publishRelease(machine, cqe, ++produced);
    }
}
