package io.hyperverbs.backend.forwarded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ProtocolViolation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the HCA sees of a forwarded ring, and which bytes the domain gets. */
class ForwardedArmsTest {
    private static final int ENTRIES = 8;
    private static final long RING = 8192;
    private static final long LARGER_RING = 16384;
    private static final int SLOT = 3;

    private final MemorySegment machine = Arena.ofAuto().allocate(1 << 16, 4096);
    private final List<Long> events = new ArrayList<>();
    private ForwardedCq cq;

    @BeforeEach
    void setUp() {
        Doorbell doorbell = new Doorbell(machine, 0, machine, 4096, () -> {});
        cq = new ForwardedCq(machine, RING, ENTRIES, doorbell, SLOT, events::add);
        cq.handle(42);
    }

    /** As the HCA does: the number of each is what it says as its request. */
    private void produce(int from, int count) {
        for (int i = from; i < from + count; i++) {
            long cqe = RING + CqHeaderLayout.SIZE_BYTES + (i % ENTRIES) * CqeLayout.SIZE_BYTES;
            CqeLayout.write(machine, cqe, i, 0, 128, 8, 17, 0, 0, 0);
            CqeLayout.publishRelease(machine, cqe, i + 1);
        }
    }

    private void expectArmed(boolean solicitedOnly, int number, int index) {
        long word = CqHeaderLayout.armAcquire(machine, RING, solicitedOnly);
        assertThat(CqHeaderLayout.armNumber(word)).isEqualTo(number);
        assertThat(CqHeaderLayout.armConsumerIndex(word)).isEqualTo(index);
        assertThat(UarLayout.takeWord(machine, 0, 0)).isEqualTo(1L << SLOT);
    }

    private void expectConsumed(int index) {
        assertThat(CqHeaderLayout.consumerIndexAcquire(machine, RING)).isEqualTo(index);
    }

    private static void expectRequests(CompletionBatch batch, long... requests) {
        MemorySegment entries = Arena.ofAuto().allocate(batch.entries().length, 64);
        entries.copyFrom(MemorySegment.ofArray(batch.entries()));
        long[] found = new long[(int) (entries.byteSize() / CqeLayout.SIZE_BYTES)];
        for (int i = 0; i < found.length; i++) {
            found[i] = CqeLayout.wrId(entries, i * CqeLayout.SIZE_BYTES);
        }
        assertThat(found).containsExactly(requests);
    }

    @Test
    void pumpIsWokenForWhatItHasNotSentYet() {
        cq.armForPump();
        expectArmed(false, 1, 0);
        produce(0, 2);
        cq.takeNew();

        cq.armForPump();

        expectArmed(false, 2, 2);
        expectConsumed(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void armOfACallIsTheHcas(boolean solicitedOnly) {
        produce(0, 2);
        cq.poll(0, 2);

        cq.armForCalls(solicitedOnly, 1);
        expectArmed(solicitedOnly, 1, 1);
        expectConsumed(1);
        cq.armForCalls(solicitedOnly, 2);

        expectArmed(solicitedOnly, 2, 2);
        expectConsumed(2);
        assertThat(events).isEmpty();
        assertThatThrownBy(() -> cq.armForCalls(solicitedOnly, 3)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void armOfAStreamSaysWhatWasTaken() {
        produce(0, 2);
        cq.takeNew();

        cq.armForStream(false, 2);

        expectConsumed(2);
        assertThat(events).isEmpty();
        assertThatThrownBy(() -> cq.armForStream(false, 3)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void pollSaysWhatWasTakenAndGivesTheRestInOrder() {
        produce(0, 4);
        expectRequests(cq.poll(0, 2), 0, 1);
        expectConsumed(0);

        expectRequests(cq.poll(1, 16), 1, 2, 3);

        expectConsumed(1);
    }

    @Test
    void shorterPollTakesNothingBack() {
        produce(0, 4);
        cq.poll(0, 4);

        expectRequests(cq.poll(0, 1), 0);

        cq.consumed(4);
        expectConsumed(4);
    }

    @Test
    void pollGivesNoMoreThanItSays() {
        produce(0, 4);
        cq.poll(0, 1);

        assertThatThrownBy(() -> cq.consumed(2)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void batchGoesRoundTheRingInOrder() {
        produce(0, 6);
        expectRequests(cq.takeNew(), 0, 1, 2, 3, 4, 5);
        cq.consumed(6);
        produce(6, 5);

        expectRequests(cq.takeNew(), 6, 7, 8, 9, 10);
    }

    @Test
    void oldMemoryIsNotLookedAtAfterAResize() {
        produce(0, 3);
        cq.resize(LARGER_RING, 2 * ENTRIES, 0, () -> VerbsStatus.SUCCESS);

        machine.asSlice(RING, 4096).fill((byte) 0xee);

        expectRequests(cq.takeNew(), 0, 1, 2);
    }

    @Test
    void newMemoryIsNotLookedAtAfterARefusedResize() {
        produce(0, 3);
        cq.resize(LARGER_RING, 2 * ENTRIES, 0, () -> VerbsStatus.ENOMEM);

        machine.asSlice(LARGER_RING, 4096).fill((byte) 0xee);

        expectRequests(cq.takeNew(), 0, 1, 2);
    }
}
