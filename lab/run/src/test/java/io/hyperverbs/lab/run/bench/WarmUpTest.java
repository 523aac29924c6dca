package io.hyperverbs.lab.run.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private int chunks;

    private static long[] fallingFor(int chunks) {
        long[] medians = new long[chunks];
        for (int i = 0; i < medians.length; i++) {
            medians[i] = Math.round(1e12 * Math.pow(0.9, i));
        }
        return medians;
    }

    /** Chunks with these medians, the last of them for ever. */
    private WarmUp.Chunk of(long... medians) {
        return () -> {
            long nanos = medians[Math.min(chunks++, medians.length - 1)];
            return new long[] {nanos, nanos, nanos};
        };
    }

    private int chunksOf(long... medians) throws Exception {
        WarmUp.run(WarmUp.Work.REPEATED, of(medians));
        return chunks;
    }

    private int newChunksOf(long... medians) throws Exception {
        WarmUp.run(WarmUp.Work.NEW, of(medians));
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
        assertThat(chunksOf(fallingFor(100))).isEqualTo(50);
    }

    @Test
    void newCodeMayBeSlowForAWhile() throws Exception {
        long[] medians = new long[21];
        Arrays.fill(medians, 0, 20, 33_000);
        medians[20] = 2_900;

        assertThat(newChunksOf(medians)).isEqualTo(20 + 1 + 25);
    }

    @Test
    void newCodeThatIsNeverFasterEnds() throws Exception {
        assertThat(newChunksOf(500)).isEqualTo(26);
    }

    @Test
    void longChunksOfNewCodeEndByTheirTime() throws Exception {
        long[] nanos = {0};
        WarmUp.Chunk chunk = of(900, 700, 500);
        WarmUp.Chunk timed = () -> {
            nanos[0] += 300_000_000;
            return chunk.run();
        };

        WarmUp.run(WarmUp.Work.NEW, timed, () -> nanos[0]);

        // Four of 0.3 s after the last that was faster.
        assertThat(chunks).isEqualTo(3 + 4);
    }

    @Test
    void oneChunkSaysNothingHoweverLong() throws Exception {
        long[] nanos = {0};
        WarmUp.Chunk chunk = of(500, 490, 300, 290, 280);
        WarmUp.Chunk timed = () -> {
            nanos[0] += 5_000_000_000L;
            return chunk.run();
        };

        WarmUp.run(WarmUp.Work.NEW, timed, () -> nanos[0]);

        assertThat(chunks).isEqualTo(5);
    }

    /** Chunks of 20 ms with the times of as many calls as there is room for. */
    private int chunksOfCalls(long... micros) throws Exception {
        long[] nanos = {0};
        WarmUp.run(
                WarmUp.Work.NEW_CALLS,
                () -> {
                    nanos[0] += 20_000_000;
                    long each = micros[Math.min(chunks++, micros.length - 1)];
                    long[] times = new long[(int) (20_000 / each)];
                    Arrays.fill(times, each * 1_000);
                    return times;
                },
                () -> nanos[0]);
        return chunks;
    }

    @Test
    void callsMayTakeTheSameForSeconds() throws Exception {
        long[] micros = new long[75];
        Arrays.fill(micros, 0, 74, 200);
        micros[74] = 50;

        // 7400 calls were no faster; 10 000 of 400 in a chunk are enough.
        assertThat(chunksOfCalls(micros)).isEqualTo(74 + 1 + 25);
    }

    @Test
    void callsThatAreNeverFasterEndByTheirNumber() throws Exception {
        assertThat(chunksOfCalls(200)).isEqualTo(1 + 100);
    }

    @Test
    void slowCallsEndByTheirTime() throws Exception {
        assertThat(chunksOfCalls(4_000)).isEqualTo(1 + 150);
    }

    @Test
    void newCodeEndsWhereEachChunkIsFaster() throws Exception {
        assertThat(newChunksOf(fallingFor(300))).isEqualTo(250);
    }
}
