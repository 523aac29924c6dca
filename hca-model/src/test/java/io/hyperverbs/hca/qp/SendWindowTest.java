package io.hyperverbs.hca.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.SendWqeLayout;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several requests of a send queue under way at once, as on a wire. */
class SendWindowTest {
    private static final int ENTRIES = 8;
    private static final int REQUESTS = 4;
    private static final long COPY = 64;

    private final QueueGeometry geometry = QueueGeometry.of(ENTRIES, 0, 1, 1, 0);
    private final long stride = geometry.sendStrideBytes();
    private final MemorySegment memory = MemorySegment.ofArray(new long[(int) geometry.totalBytes() / 8]);
    private final MemorySegment ownCopies = MemorySegment.ofArray(new long[64]);
    private final MemorySegment space = MemorySegment.ofArray(new long[(int) (REQUESTS * stride / 8)]);
    private final SendQueue queue = new SendQueue(memory, 0, geometry, ownCopies, COPY);

    @BeforeEach
    void post() {
        for (int slot = 0; slot < ENTRIES; slot++) {
            int opcode = slot % 2 == 0 ? SendWqeLayout.OPCODE_SEND : SendWqeLayout.OPCODE_RDMA_READ;
            SendWqeLayout.writeHead(memory, geometry.sendSlot(slot), 100 + slot, opcode, slot % 2 + 1);
        }
        publish(ENTRIES);
    }

    private void publish(int index) {
        QueueIndexes.sendProducerRelease(memory, 0, index);
        assertThat(queue.readProducerIndex()).isTrue();
    }

    private void fetch(int requests) {
        for (int i = 0; i < requests; i++) {
            queue.fetch();
        }
    }

    private void expectSelected(int index) {
        assertThat(queue.selected()).isEqualTo(index);
        assertThat(queue.copy()).isEqualTo(index % REQUESTS * stride);
        assertThat(queue.wrId()).isEqualTo(100 + index % ENTRIES);
        assertThat(queue.opcode())
                .isEqualTo(index % 2 == 0 ? SendWqeLayout.OPCODE_SEND : SendWqeLayout.OPCODE_RDMA_READ);
        assertThat(queue.hasFlag(2)).isEqualTo(index % 2 == 1);
    }

    @Test
    void takesAStrideForEachRequest() {
        assertThat(queue.windowBytes(REQUESTS)).isEqualTo(REQUESTS * stride);
        assertThat(queue.entries()).isEqualTo(ENTRIES);
    }

    @Test
    void fetchesAsManyAsItHasRoomFor() {
        queue.openWindow(REQUESTS, space);
        assertThat(queue.copies()).isSameAs(space);
        assertThat(queue.isOutstanding()).isFalse();
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(queue.canFetch()).isTrue();
            queue.fetch();
            expectSelected(i);
            assertThat(queue.outstanding()).isEqualTo(i + 1);
        }

        assertThat(queue.canFetch()).isFalse();
        assertThat(queue.isReady()).isTrue();
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(queue.isBusy()).isTrue();
            queue.carried();
        }
        assertThat(queue.next()).isEqualTo(REQUESTS);
        assertThat(queue.isBusy()).isFalse();
        assertThat(queue.isReady()).isFalse();
        assertThat(queue.isOutstanding()).isTrue();
        queue.selectOldest();
        queue.retire();
        assertThat(queue.canFetch()).isTrue();
        assertThat(queue.isReady()).isTrue();
        queue.fetch();
        expectSelected(REQUESTS);
        assertThat(queue.outstanding()).isEqualTo(REQUESTS);
    }

    @Test
    void fetchesNoMoreThanWasPosted() {
        SendQueue fresh = new SendQueue(memory, 0, geometry, ownCopies, COPY);
        fresh.openWindow(REQUESTS, space);
        QueueIndexes.sendProducerRelease(memory, 0, 1);
        assertThat(fresh.readProducerIndex()).isTrue();
        fresh.fetch();
        fresh.carried();

        assertThat(fresh.canFetch()).isFalse();
        assertThat(fresh.isReady()).isFalse();
    }

    @Test
    void waitsWithRequestsThatCouldBeCarried() {
        queue.openWindow(REQUESTS, space);
        fetch(1);

        queue.hold(SendQueue.Wait.WINDOW);
        assertThat(queue.isReady()).isFalse();
        queue.resume();
        assertThat(queue.isReady()).isTrue();
    }

    @Test
    void opensAtTheOldestRequest() {
        for (int i = 0; i < 3; i++) {
            queue.fetch();
            queue.retire();
        }

        queue.openWindow(REQUESTS, space);

        assertThat(queue.selected()).isEqualTo(3);
        assertThat(queue.copy()).isEqualTo(3 * stride);
    }

    @Test
    void eachRequestKeepsWhatWasNotedOfIt() {
        queue.openWindow(REQUESTS, space);
        for (int i = 0; i < REQUESTS; i++) {
            queue.fetch();
            queue.lengthBytes(10 + i);
        }

        for (int i = 0; i < REQUESTS; i++) {
            queue.select(i);
            expectSelected(i);
            assertThat(queue.lengthBytes()).isEqualTo(10 + i);
            assertThat(queue.isOldest()).isEqualTo(i == 0);
        }
        queue.carried();
        queue.selectNext();
        expectSelected(1);
        queue.selectOldest();
        expectSelected(0);
    }

    @Test
    void judgesRequestsInTheirOrder() {
        queue.openWindow(REQUESTS, space);
        queue.fetch();
        assertThat(queue.isJudged()).isFalse();
        queue.judged();
        assertThat(queue.isJudged()).isTrue();

        queue.fetch();
        assertThat(queue.isJudged()).isFalse();
        queue.judged();
        queue.select(0);
        assertThat(queue.isJudged()).isTrue();
    }

    @Test
    void retiringLeavesWhatIsCarriedAfterIt() {
        queue.openWindow(REQUESTS, space);
        fetch(3);
        queue.carried();
        queue.carried();
        queue.advance(5);
        queue.hold(SendQueue.Wait.ACK);

        queue.retire();
        assertThat(queue.head()).isEqualTo(1);
        assertThat(queue.next()).isEqualTo(2);
        queue.retire();
        assertThat(queue.next()).isEqualTo(2);
        assertThat(queue.doneBytes()).isEqualTo(5);
        assertThat(queue.waitsFor()).isEqualTo(SendQueue.Wait.ACK);

        // Ended in the middle of being carried.
        queue.retire();
        assertThat(queue.next()).isEqualTo(3);
        assertThat(queue.doneBytes()).isZero();
    }

    @Test
    void carriesAgainFromWhereItIsTold() {
        queue.openWindow(REQUESTS, space);
        fetch(3);
        queue.carried();
        queue.advance(9);
        queue.carried();
        assertThat(queue.doneBytes()).isZero();

        queue.carryAgain(1, 7);

        assertThat(queue.next()).isEqualTo(1);
        assertThat(queue.doneBytes()).isEqualTo(7);
        queue.selectNext();
        expectSelected(1);
    }

    @Test
    void resetClosesIt() {
        queue.openWindow(REQUESTS, space);
        fetch(2);

        queue.reset();

        assertThat(queue.copies()).isSameAs(ownCopies);
        assertThat(queue.copy()).isEqualTo(COPY);
        publish(2);
        queue.fetch();
        assertThat(queue.copy()).isEqualTo(COPY);
        assertThat(queue.canFetch()).isFalse();
        queue.retire();
        assertThat(queue.canFetch()).isTrue();
    }
}
