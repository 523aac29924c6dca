package io.hyperverbs.hca.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The drivers' ends of rings: what fits, what is freed, what left-over completions change. */
class DriverRingsTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, 4096);

    @Test
    void sendSlotsAreFreedUpToWhatACompletionSays() {
        SendRing ring = new SendRing(memory, 0, QueueGeometry.of(4, 0, 1, 1, 0));
        ring.publish(3);
        assertThat(ring.free()).isEqualTo(1);

        ring.freeUpTo(2);
        assertThat(ring.free()).isEqualTo(3);
        ring.freeUpTo(3);
        assertThat(ring.free()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 1000, -1, Integer.MIN_VALUE + 1})
    void completionsFromBeforeAResetFreeNoSendSlot(int left) {
        SendRing ring = new SendRing(memory, 0, QueueGeometry.of(4, 0, 1, 1, 0));
        ring.publish(3);
        ring.freeUpTo(1);

        ring.freeUpTo(left);

        assertThat(ring.free()).isEqualTo(2);
    }

    @Test
    void resetForgetsSendsAndTellsTheHca() {
        SendRing ring = new SendRing(memory, 0, QueueGeometry.of(4, 0, 1, 1, 0));
        ring.publish(3);
        ring.freeUpTo(1);

        ring.reset();

        assertThat(ring.free()).isEqualTo(4);
        assertThat(QueueIndexes.sendProducerAcquire(memory, 0)).isZero();
        assertThat(ring.slot(0)).isEqualTo(QueueGeometry.of(4, 0, 1, 1, 0).sendSlot(0));
        assertThat(ring.memory()).isSameAs(memory);
    }

    @Test
    void receiveSlotsAreFreedOneByOneAndNoMoreThanWerePosted() {
        ReceiveRing ring = new ReceiveRing(memory, 0, QueueGeometry.of(1, 4, 1, 1, 0));
        ring.publish(2);
        assertThat(ring.free()).isEqualTo(2);

        ring.freeOne();
        assertThat(ring.free()).isEqualTo(3);
        ring.freeOne();
        ring.freeOne();
        ring.freeOne();

        assertThat(ring.free()).isEqualTo(4);
        ring.publish(1);
        assertThat(ring.free()).isEqualTo(3);
        ring.reset();
        assertThat(ring.free()).isEqualTo(4);
        assertThat(QueueIndexes.receiveProducerAcquire(memory, 0)).isZero();
    }

    @Test
    void sharedRingNotesHeadsThatGoForwardAlone() {
        SharedReceiveRing ring = new SharedReceiveRing(memory, SrqGeometry.of(4, 1));
        ring.publish(4);
        assertThat(ring.free()).isZero();

        ring.noteHead(3);
        assertThat(ring.free()).isEqualTo(3);
        ring.noteHead(3);
        ring.noteHead(1);
        ring.noteHead(-1);

        assertThat(ring.free()).isEqualTo(3);
        assertThat(ring.producer()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0", "-1, 1", "1, -1", "65537, 1", "1, 31", "2147483647, 1"})
    void sharedQueuesBeyondTheLimitsHaveNoGeometry(int receives, int segments) {
        assertThat(SrqGeometry.isValid(receives, segments)).isFalse();
        assertThatThrownBy(() -> SrqGeometry.of(receives, segments)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sharedQueuesAtTheLimitsHave() {
        int most = QueueGeometry.MAX_ENTRIES;
        int segments = QueueGeometry.MAX_SGE;

        assertThat(SrqGeometry.isValid(1, 1)).isTrue();
        assertThat(SrqGeometry.isValid(most, segments)).isTrue();
        assertThat(SrqGeometry.isValid(most + 1, segments)).isFalse();
        assertThat(SrqGeometry.isValid(most, segments + 1)).isFalse();
        SrqGeometry geometry = SrqGeometry.of(5, 1);
        assertThat(geometry).isEqualTo(new SrqGeometry(8, 32));
        assertThat(geometry.totalBytes()).isEqualTo(128 + 8 * 32);
        assertThat(geometry.slot(8)).isEqualTo(128);
        assertThat(geometry.slot(-1)).isEqualTo(128 + 7 * 32);
    }

    private void complete(int ring, int entries, int index) {
        long cqe = ring + CqHeaderLayout.SIZE_BYTES + (index & (entries - 1)) * CqeLayout.SIZE_BYTES;
        int opcode = index % 2 == 0 ? WorkCompletion.Opcode.RECV.code() : WorkCompletion.Opcode.SEND.code();
        CqeLayout.write(memory, cqe, 100 + index, 0, opcode, 0, 7, 0, 0, 0);
        CqeLayout.publishRelease(memory, cqe, index + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6, 100, -1})
    void completionRingsHaveAPowerOfTwoEntries(int entries) {
        assertThatThrownBy(() -> new CompletionRing(memory, 0, entries))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("entries " + entries);
    }

    @Test
    void knowsReceivesFromSends() {
        CompletionRing ring = new CompletionRing(memory, 0, 4);
        complete(0, 4, 0);
        complete(0, 4, 1);

        assertThat(ring.isReceive()).isTrue();
        ring.advance();
        assertThat(ring.isReceive()).isFalse();
    }

    @Test
    void countsWhatArrivedUpToAFullRing() {
        CompletionRing ring = new CompletionRing(memory, 0, 4);
        for (int i = 0; i < 4; i++) {
            assertThat(ring.arrived()).isEqualTo(i);
            complete(0, 4, i);
        }

        assertThat(ring.arrived()).isEqualTo(4);
    }

    @Test
    void movesNoMoreCompletionsThanTheNewRingHolds() {
        CompletionRing ring = new CompletionRing(memory, 0, 8);
        for (int i = 0; i < 7; i++) {
            complete(0, 8, i);
        }
        MemorySegment other = Arena.ofAuto().allocate(CqHeaderLayout.totalBytes(2), 64);
        CompletionRings.copy(memory, 0, 8, other, 0, 2, 3);

        assertThat(CompletionRings.arrived(other, 0, 2, 3)).isEqualTo(5);
        ring.moveTo(other, 2);
        assertThat(ring.capacity()).isEqualTo(2);
        assertThat(ring.hasNext()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"2, 32", "0, 32", "4, 32", "5, 28", "6, 28"})
    void srqNumberLiesWhereTheRequestLeavesRoom(int opcode, int offset) {
        SendWqeLayout.writeHead(memory, 64, 0, opcode, 0);

        SendWqeLayout.writeSrqn(memory, 64, 0x01020304);

        assertThat(memory.get(Bytes.INT, 64 + offset)).isEqualTo(0x01020304);
        assertThat(SendWqeLayout.srqn(memory, 64)).isEqualTo(0x01020304);
    }
}
