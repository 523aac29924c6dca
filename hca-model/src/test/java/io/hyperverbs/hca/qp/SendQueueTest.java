package io.hyperverbs.hca.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.SendWqeLayout;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendQueueTest {
    private static final long COPY = 64;

    private final QueueGeometry geometry = QueueGeometry.of(4, 0, 1, 1, 0);
    private final MemorySegment memory = MemorySegment.ofArray(new long[(int) geometry.totalBytes() / 8]);
    private final MemorySegment copies = MemorySegment.ofArray(new long[64]);
    private final SendQueue queue = new SendQueue(memory, 0, geometry, copies, COPY);

    private void publish(int index) {
        QueueIndexes.sendProducerRelease(memory, 0, index);
    }

    private void fill(int slot, int opcode, int flags) {
        SendWqeLayout.writeHead(memory, geometry.sendSlot(slot), 100 + slot, opcode, flags);
    }

    /** All requests up to {@code index}, so that the queue's own index is there. */
    private void advanceTo(int index) {
        while (queue.head() != index) {
            publish(queue.head() + 1);
            assertThat(queue.readProducerIndex()).isTrue();
            queue.fetch();
            queue.retire();
        }
    }

    @Test
    void believesEveryIndexWithinTheRingAndNoOther() {
        for (int head = 0; head < 9; head++) {
            advanceTo(head);
            for (int jump = -20; jump <= 20; jump++) {
                SendQueue fresh = new SendQueue(memory, 0, geometry, copies, COPY);
                publish(jump);
                assertThat(fresh.readProducerIndex()).as("jump %d", jump).isEqualTo(jump >= 0 && jump <= 4);
                assertThat(fresh.isEmpty()).isEqualTo(jump <= 0 || jump > 4);
            }
            publish(head + 5);
            assertThat(queue.readProducerIndex()).isFalse();
            assertThat(queue.isEmpty()).isTrue();
        }
    }

    @Test
    void refusesAnIndexThatGoesBackBehindWhatItAccepted() {
        publish(3);
        assertThat(queue.readProducerIndex()).isTrue();

        publish(2);
        assertThat(queue.readProducerIndex()).isFalse();
        publish(3);
        assertThat(queue.readProducerIndex()).isTrue();
        queue.fetch();
        queue.retire();
        publish(2);
        assertThat(queue.readProducerIndex()).isFalse();
        publish(5);
        assertThat(queue.readProducerIndex()).isTrue();
        publish(6);
        assertThat(queue.readProducerIndex()).isFalse();
    }

    @Test
    void looksOnlyAtItsCopyOnceFetched() {
        fill(0, SendWqeLayout.OPCODE_RDMA_READ, 2);
        publish(1);
        assertThat(queue.readProducerIndex()).isTrue();
        queue.fetch();

        fill(0, SendWqeLayout.OPCODE_SEND, 0xff);

        assertThat(queue.opcode()).isEqualTo(SendWqeLayout.OPCODE_RDMA_READ);
        assertThat(queue.hasFlag(2)).isTrue();
        assertThat(queue.hasFlag(1)).isFalse();
        assertThat(queue.hasUnknownFlags()).isFalse();
        assertThat(queue.wrId()).isEqualTo(100);
        assertThat(queue.copies()).isSameAs(copies);
        assertThat(queue.copy()).isEqualTo(COPY);
        assertThat(SendWqeLayout.opcode(copies, COPY)).isEqualTo(SendWqeLayout.OPCODE_RDMA_READ);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x10, 0x40, 0x80})
    void knowsFlagsThatNobodyHas(int flag) {
        fill(0, SendWqeLayout.OPCODE_SEND, flag & ~SendWqeLayout.KNOWN_FLAGS);
        queue.fetch();

        assertThat(queue.hasUnknownFlags()).isEqualTo((flag & ~SendWqeLayout.KNOWN_FLAGS) != 0);
    }

    @Test
    void fetchingBeginsAnew() {
        publish(2);
        assertThat(queue.readProducerIndex()).isTrue();
        queue.fetch();
        queue.lengthBytes(90);
        queue.advance(30);
        queue.advance(12);
        queue.bindPeer(9);
        assertThat(queue.doneBytes()).isZero();
        queue.advance(5);
        queue.bindPeer(9);
        assertThat(queue.doneBytes()).isEqualTo(5);
        assertThat(queue.isBoundTo(9)).isTrue();
        assertThat(queue.isBoundTo(8)).isFalse();
        assertThat(queue.lengthBytes()).isEqualTo(90);
        assertThat(queue.isBusy()).isTrue();

        queue.retire();
        assertThat(queue.isBusy()).isFalse();
        assertThat(queue.head()).isEqualTo(1);
        queue.suspend(SendQueue.Wait.ACK);
        queue.fetch();

        assertThat(queue.waitsFor()).isEqualTo(SendQueue.Wait.NOTHING);
        assertThat(queue.doneBytes()).isZero();
        assertThat(queue.lengthBytes()).isZero();
        assertThat(queue.isBoundTo(9)).isFalse();
        assertThat(queue.wrId()).isZero();
    }

    @Test
    void suspendedRequestsStartOver() {
        queue.fetch();
        queue.bindPeer(3);
        queue.advance(7);

        queue.suspend(SendQueue.Wait.RNR);

        assertThat(queue.waitsFor()).isEqualTo(SendQueue.Wait.RNR);
        assertThat(queue.doneBytes()).isZero();
        assertThat(queue.isBoundTo(3)).isFalse();
        assertThat(queue.isBoundTo(0)).isTrue();
        queue.resume();
        assertThat(queue.waitsFor()).isEqualTo(SendQueue.Wait.NOTHING);
    }

    @Test
    void retriesHaveAnEnd() {
        queue.resetRetries(2, 1);

        assertThat(queue.takeRetry()).isTrue();
        assertThat(queue.takeRetry()).isTrue();
        assertThat(queue.takeRetry()).isFalse();
        assertThat(queue.takeRnrRetry()).isTrue();
        assertThat(queue.takeRnrRetry()).isFalse();
        queue.resetRetries(0, 0);
        assertThat(queue.takeRetry()).isFalse();
        assertThat(queue.takeRnrRetry()).isFalse();
    }

    @Test
    void resetForgetsEverything() {
        publish(3);
        assertThat(queue.readProducerIndex()).isTrue();
        queue.fetch();
        queue.retire();
        queue.fetch();
        queue.suspend(SendQueue.Wait.ACK);

        queue.reset();

        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.isBusy()).isFalse();
        assertThat(queue.head()).isZero();
        assertThat(queue.waitsFor()).isEqualTo(SendQueue.Wait.NOTHING);
        publish(4);
        assertThat(queue.readProducerIndex()).isTrue();
        assertThat(queue.isEmpty()).isFalse();
    }

    @Test
    void retiringEndsAWait() {
        queue.fetch();
        queue.suspend(SendQueue.Wait.ACK);

        queue.retire();

        assertThat(queue.waitsFor()).isEqualTo(SendQueue.Wait.NOTHING);
    }

    @Test
    void rnrRetriesAreCountedUntilProgress() {
        queue.resetRetries(1, 2);

        assertThat(queue.takeRnrRetry()).isTrue();
        assertThat(queue.takeRnrRetry()).isTrue();
        assertThat(queue.rnrRetriesTaken()).isEqualTo(2);
        assertThat(queue.takeRnrRetry()).isFalse();

        queue.resetRetries(1, 2);
        assertThat(queue.rnrRetriesTaken()).isZero();
    }

    @Test
    void ackTimeoutsAreCountedUntilThePeerIsHeard() {
        queue.resetRetries(3, 2);
        assertThat(queue.ackTimeouts()).isZero();
        queue.ackTimedOut();
        queue.ackTimedOut();
        assertThat(queue.ackTimeouts()).isEqualTo(2);

        queue.resetTransportRetries(3);
        assertThat(queue.ackTimeouts()).isZero();
        queue.ackTimedOut();
        queue.resetRetries(3, 2);
        assertThat(queue.ackTimeouts()).isZero();
    }

    @Test
    void transportRetriesAreGivenBackAlone() {
        queue.resetRetries(1, 1);
        assertThat(queue.takeRetry()).isTrue();
        assertThat(queue.takeRnrRetry()).isTrue();

        queue.resetTransportRetries(2);

        assertThat(queue.takeRetry()).isTrue();
        assertThat(queue.takeRetry()).isTrue();
        assertThat(queue.takeRetry()).isFalse();
        assertThat(queue.takeRnrRetry()).isFalse();
        assertThat(queue.rnrRetriesTaken()).isEqualTo(2);
    }
}
