package io.hyperverbs.lab.run.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PercentilesTest {
    private static final double[] PERCENTS = {0.1, 1, 25, 50, 75, 90, 99, 99.9, 99.99, 100};

    @Test
    void agreesWithANaiveModel() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            List<Double> values = new ArrayList<>();
            int count = 1 + random.nextInt(300);
            for (int i = 0; i < count; i++) {
                values.add((double) random.nextInt(1 + random.nextInt(10_000)));
            }

            Percentiles distribution = Percentiles.of(values);

            String name = "seed " + seed + " round " + round;
            for (double percent : PERCENTS) {
                assertThat(distribution.percentile(percent)).as(name).isEqualTo(naivePercentile(values, percent));
            }
            assertThat(distribution.median()).as(name).isEqualTo(naiveMedian(values));
            assertThat(distribution.min()).as(name).isEqualTo(Collections.min(values));
            assertThat(distribution.max()).as(name).isEqualTo(Collections.max(values));
            double mean = values.stream().mapToDouble(x -> x).average().orElseThrow();
            assertThat(distribution.mean()).as(name).isCloseTo(mean, within(1e-6));
            double variance =
                    values.stream().mapToDouble(x -> Math.pow(x - mean, 2)).sum() / count;
            assertThat(distribution.deviation()).as(name).isCloseTo(Math.sqrt(variance), within(1e-6));
        }
    }

    /** By definition: the smallest value that at least that share of all do not exceed. */
    private static double naivePercentile(List<Double> values, double percent) {
        return values.stream()
                .filter(candidate -> {
                    long below = values.stream().filter(x -> x <= candidate).count();
                    // In whole thousandths, so that the model has no rounding.
                    return below * 100_000L >= Math.round(percent * 1_000) * values.size();
                })
                .min(Double::compare)
                .orElseThrow();
    }

    private static double naiveMedian(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int count = sorted.size();
        return (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2;
    }

    @Test
    void putsRoundsTogetherInMicroseconds() {
        Percentiles distribution = Percentiles.ofNanos(List.of(new long[] {4_000, 2_000}, new long[] {6_000}), 2);

        assertThat(distribution.count()).isEqualTo(3);
        assertThat(distribution.min()).isEqualTo(1);
        assertThat(distribution.median()).isEqualTo(2);
        assertThat(distribution.max()).isEqualTo(3);
    }

    @Test
    void spreadIsHalfTheQuartileDistance() {
        assertThat(Percentiles.of(List.of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0))
                        .spread())
                .isEqualTo(2);
        assertThat(Percentiles.of(List.of(5.0)).spread()).isZero();
    }

    @Test
    void refusesNothing() {
        assertThatThrownBy(() -> Percentiles.ofNanos(List.of(new long[0]), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Percentiles.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
