package io.hyperverbs.lab.run.isolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RankSumTest {
    private static List<Long> values(long... values) {
        return LongStream.of(values).boxed().toList();
    }

    private static List<Long> drawn(SplittableRandom random, int n, double factor) {
        return random.doubles(n)
                .mapToObj(one -> (long) (1000 * factor / (1 - one)))
                .toList();
    }

    @Test
    void equalSamplesHaveNoScore() {
        assertThat(RankSum.score(values(3, 1, 2), values(1, 2, 3))).isZero();
        assertThat(RankSum.score(values(5, 5), values(5, 5, 5))).isZero();
    }

    @Test
    void anEmptySampleHasNoScore() {
        assertThat(RankSum.score(values(), values(1))).isZero();
        assertThat(RankSum.score(values(1), values())).isZero();
    }

    /** 16 of 16 pairs: (16 - 8) / sqrt(16 * 9 / 12). */
    @Test
    void largerValuesHaveAPositiveScore() {
        assertThat(RankSum.score(values(5, 6, 7, 8), values(1, 2, 3, 4))).isCloseTo(2.309, within(0.001));
        assertThat(RankSum.score(values(1, 2, 3, 4), values(5, 6, 7, 8))).isCloseTo(-2.309, within(0.001));
    }

    @Test
    void aTieCountsHalf() {
        assertThat(RankSum.score(values(2), values(2, 3))).isCloseTo(-0.612, within(0.001));
    }

    @Test
    void chanceSeldomScoresHighAndASlowdownByHalfDoes() {
        SplittableRandom random = new SplittableRandom(7);
        int byChance = 0;
        int slower = 0;
        for (int i = 0; i < 1000; i++) {
            List<Long> calm = drawn(random, 150, 1);
            byChance += RankSum.score(drawn(random, 150, 1), calm) > 2.326 ? 1 : 0;
            slower += RankSum.score(drawn(random, 150, 1.5), calm) > 2.326 ? 1 : 0;
        }

        assertThat(byChance).isBetween(2, 20);
        assertThat(slower).isGreaterThan(800);
    }
}
