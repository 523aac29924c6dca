package io.hyperverbs.hca.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class QueueIndexesTest {
    private static final int[] OWN = {0, 1, 7, Integer.MAX_VALUE, Integer.MIN_VALUE, -8, -1};

    @Test
    void agreesWithLongArithmeticForAllSizesAndJumps() {
        for (int own : OWN) {
            for (int capacity = 1; capacity <= 64; capacity++) {
                for (int jump = -70; jump <= 70; jump++) {
                    int must = jump >= 0 && jump <= capacity ? jump : -1;
                    assertThat(QueueIndexes.available(own + jump, own, capacity))
                            .as("%d after %d of %d", jump, own, capacity)
                            .isEqualTo(must);
                }
            }
        }
    }

    @Test
    void eachSideHasItsWord() {
        MemorySegment memory = MemorySegment.ofArray(new long[64]);

        QueueIndexes.sendProducerRelease(memory, 128, 5);
        QueueIndexes.receiveProducerRelease(memory, 128, 6);

        assertThat(QueueIndexes.sendProducerAcquire(memory, 128)).isEqualTo(5);
        assertThat(QueueIndexes.receiveProducerAcquire(memory, 128)).isEqualTo(6);
        assertThat(memory.get(Bytes.INT, 128)).isEqualTo(5);
        assertThat(memory.get(Bytes.INT, 192)).isEqualTo(6);
    }
}
