package io.hyperverbs.lab.run.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {
    private int chunks;

    /** Runs with these medians, the last of them for ever. */
    private int chunksOf(long... medians) throws Exception {
        WarmUp.untilNoFaster(() -> {
            long nanos = medians[Math.min(chunks++, medians.length - 1)];
            return new long[] {nanos, nanos, nanos};
        });
        return chunks;
    }

    @Test
    void endsAfterTwoChunksThatAreNoFaster() throws Exception {
        assertThat(chunksOf(500)).isEqualTo(3);
    }

    @Test
    void goesOnWhileChunksGetFaster() throws Exception {
        assertThat(chunksOf(5_400, 5_300, 2_000, 900, 800, 500, 490, 480)).isEqualTo(8);
    }

    @Test
    void slowerChunksInBetweenDoNotCountAsTheBest() throws Exception {
        assertThat(chunksOf(500, 900, 400, 420, 410)).isEqualTo(5);
    }

    @Test
    void endsWhereEachChunkIsFaster() throws Exception {
        long[] medians = new long[100];
        for (int i = 0; i < medians.length; i++) {
            medians[i] = Math.round(1e9 * Math.pow(0.9, i));
        }

        assertThat(chunksOf(medians)).isEqualTo(50);
    }
}
