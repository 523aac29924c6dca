package io.hyperverbs.hca.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.hca.layout.SrqRingLayout;
import io.hyperverbs.hca.qp.ReceiveQueue.Found;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.hca.srq.SrqPlan;
import io.hyperverbs.hca.srq.SrqTable;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReceiveQueueTest {
    private static final long COPY = 64;
    private static final int[] COUNTS = ContextMemoryLayout.counts(Map.of(Table.SRQ, 2));
    private static final long CONTEXTS = 4096;

    private final QueueGeometry geometry = QueueGeometry.of(1, 4, 1, 2, 0);
    private final MemorySegment memory =
            MemorySegment.ofArray(new long[(int) (CONTEXTS + ContextMemoryLayout.totalBytes(COUNTS)) / 8]);
    private final MemorySegment copies = MemorySegment.ofArray(new long[64]);
    private final ReceiveQueue queue = new ReceiveQueue(memory, 0, geometry, copies, COPY, null);

    private void publish(int index) {
        QueueIndexes.receiveProducerRelease(memory, 0, index);
    }

    private Srq sharedQueue() {
        ContextMemoryLayout.format(memory, CONTEXTS, COUNTS);
        SrqTable table = new SrqTable(new ContextMemory(memory, CONTEXTS), 2, new SplittableRandom(1));
        SrqGeometry shape = SrqGeometry.of(4, 2);
        return table.create(new SrqPlan(1, 1, 1, 1024, shape, 2, 0, null));
    }

    @Test
    void believesEveryIndexWithinTheRingAndNoOther() {
        for (int jump = -20; jump <= 20; jump++) {
            ReceiveQueue fresh = new ReceiveQueue(memory, 0, geometry, copies, COPY, null);
            publish(jump);

            Found must = jump == 0 ? Found.NONE : jump < 0 || jump > 4 ? Found.BEYOND : Found.SOME;
            assertThat(fresh.find()).as("jump %d", jump).isEqualTo(must);
            assertThat(fresh.isEmpty()).isEqualTo(must != Found.SOME);
        }
    }

    @Test
    void countsReceivesThatAreNotTaken() {
        assertThat(queue.posted()).isZero();
        publish(3);
        assertThat(queue.posted()).isEqualTo(3);
        assertThat(queue.find()).isEqualTo(Found.SOME);
        queue.fetch();
        assertThat(queue.posted()).isEqualTo(2);
        queue.retire();
        assertThat(queue.posted()).isEqualTo(2);
        publish(4);
        assertThat(queue.posted()).isEqualTo(3);
    }

    @Test
    void findsWhatItAcceptedWithoutLookingAgain() {
        publish(2);
        assertThat(queue.find()).isEqualTo(Found.SOME);

        publish(100);
        assertThat(queue.find()).isEqualTo(Found.SOME);
        assertThat(queue.readProducerIndex()).isEqualTo(Found.BEYOND);
        queue.retire();
        queue.retire();

        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.find()).isEqualTo(Found.BEYOND);
    }

    @Test
    void refusesAnIndexThatGoesBackBehindWhatItAccepted() {
        publish(3);
        assertThat(queue.readProducerIndex()).isEqualTo(Found.SOME);
        queue.retire();

        publish(2);
        assertThat(queue.readProducerIndex()).isEqualTo(Found.BEYOND);
        publish(3);
        assertThat(queue.readProducerIndex()).isEqualTo(Found.SOME);
        publish(5);
        assertThat(queue.readProducerIndex()).isEqualTo(Found.SOME);
        publish(6);
        assertThat(queue.readProducerIndex()).isEqualTo(Found.BEYOND);
        assertThat(queue.head()).isEqualTo(1);
    }

    @Test
    void queueWithoutEntriesIsNeverLookedAt() {
        QueueGeometry none = QueueGeometry.of(1, 0, 1, 1, 0);
        ReceiveQueue empty = new ReceiveQueue(memory, 0, none, copies, COPY, null);
        publish(1);

        assertThat(empty.readProducerIndex()).isEqualTo(Found.NONE);
        assertThat(empty.find()).isEqualTo(Found.NONE);
    }

    @Test
    void looksOnlyAtItsCopyOnceHeld() {
        long wqe = geometry.receiveSlot(0);
        ReceiveWqeLayout.writeHead(memory, wqe, 77);
        ReceiveWqeLayout.writeSegmentCount(memory, wqe, 2);
        ReceiveWqeLayout.writeSegment(memory, wqe, 0, 0x4321, 7, 98);
        ReceiveWqeLayout.writeSegment(memory, wqe, 1, 0x1234, -1, 99);
        publish(1);
        assertThat(queue.isHeld()).isFalse();
        queue.fetch();

        ReceiveWqeLayout.writeHead(memory, wqe, 78);
        ReceiveWqeLayout.writeSegmentCount(memory, wqe, 100);
        ReceiveWqeLayout.writeSegment(memory, wqe, 1, 1, 1, 1);

        assertThat(queue.isHeld()).isTrue();
        assertThat(queue.wrId()).isEqualTo(77);
        assertThat(queue.segmentCount()).isEqualTo(2);
        assertThat(queue.segmentAddress(1)).isEqualTo(0x1234);
        assertThat(queue.segmentLengthBytes(1)).isEqualTo(0xffff_ffffL);
        assertThat(queue.segmentLkey(1)).isEqualTo(99);
        assertThat(queue.capacityBytes(0)).isZero();
        assertThat(queue.capacityBytes(2))
                .isEqualTo(queue.segmentLengthBytes(0) + 0xffff_ffffL)
                .isGreaterThan(0xffff_ffffL);
    }

    @Test
    void releasedReceivesStayTheNextOnes() {
        publish(2);
        queue.fetch();

        queue.release();

        assertThat(queue.isHeld()).isFalse();
        assertThat(queue.head()).isZero();
        queue.fetch();
        queue.retire();
        assertThat(queue.isHeld()).isFalse();
        assertThat(queue.head()).isEqualTo(1);
    }

    @Test
    void looksEverMoreRarelyAndAtOnceMoreOftenAfterAFind() {
        assertThat(queue.nextLookNanos(false)).isEqualTo(1_000_000);
        assertThat(queue.nextLookNanos(false)).isEqualTo(2_000_000);
        assertThat(queue.nextLookNanos(false)).isEqualTo(4_000_000);
        assertThat(queue.nextLookNanos(true)).isEqualTo(1_000_000);
        for (int i = 0; i < 20; i++) {
            assertThat(queue.nextLookNanos(false)).isBetween(2_000_000L, 1_000_000_000L);
        }
        assertThat(queue.nextLookNanos(false)).isEqualTo(1_000_000_000);
        queue.release();
        assertThat(queue.nextLookNanos(false)).isEqualTo(1_000_000);
    }

    @Test
    void resetForgetsEverything() {
        publish(3);
        assertThat(queue.readProducerIndex()).isEqualTo(Found.SOME);
        queue.fetch();
        queue.retire();
        queue.fetch();

        queue.reset();

        assertThat(queue.head()).isZero();
        assertThat(queue.isHeld()).isFalse();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void takesFromASharedQueueAndLeavesItsOwnIndexAlone() {
        Srq shared = sharedQueue();
        ReceiveWqeLayout.writeHead(memory, 1024 + SrqGeometry.of(4, 2).slot(0), 55);
        SrqRingLayout.producerIndexRelease(memory, 1024, 1);
        queue.selectSrq(shared);
        assertThat(queue.shared()).isSameAs(shared);
        assertThat(shared.available()).isEqualTo(1);

        queue.readShared(shared);
        assertThat(queue.isHeld()).isFalse();
        assertThat(shared.available()).as("it is read, not taken").isEqualTo(1);
        assertThat(queue.holdShared(shared)).isFalse();

        assertThat(queue.isHeld()).isTrue();
        assertThat(shared.available()).isZero();
        assertThat(queue.wrId()).isEqualTo(55);
        queue.release();
        assertThat(queue.isHeld()).as("what is shared was taken").isTrue();
        queue.retire();
        assertThat(queue.head()).isZero();
        assertThat(queue.isHeld()).isFalse();
    }

    @Test
    void saysThatTheLimitWasPassed() {
        Srq shared = sharedQueue();
        SrqRingLayout.producerIndexRelease(memory, 1024, 2);
        assertThat(shared.available()).isEqualTo(2);
        assertThat(shared.arm(2)).isFalse();
        queue.selectSrq(shared);

        queue.readShared(shared);
        assertThat(queue.holdShared(shared)).isTrue();
    }

    @Test
    void forgetsTheSharedQueueThatItHadAlone() {
        Srq shared = sharedQueue();
        SrqRingLayout.producerIndexRelease(memory, 1024, 1);
        assertThat(shared.available()).isEqualTo(1);
        assertThat(queue.forget(shared)).isFalse();
        queue.selectSrq(shared);
        boolean _ = queue.holdShared(shared);

        assertThat(queue.forget(shared)).isTrue();

        assertThat(queue.shared()).isNull();
        assertThat(queue.isHeld()).isFalse();
        assertThat(queue.forget(shared)).isFalse();
    }
}
