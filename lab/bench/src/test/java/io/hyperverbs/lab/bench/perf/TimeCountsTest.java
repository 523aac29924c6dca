package io.hyperverbs.lab.bench.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeCountsTest {
    @Test
    void quantilesAreThoseOfTheSortedTimes() {
        Random random = new Random(20061);
        TimeCounts counts = new TimeCounts();
        long[] all = new long[20_000];
        for (int i = 0; i < all.length; i++) {
            // From nanoseconds to seconds.
            all[i] = (long) Math.exp(random.nextDouble() * 21);
            counts.record(all[i]);
        }
        Arrays.sort(all);

        for (double share : new double[] {0.001, 0.25, 0.5, 0.99, 0.999, 1}) {
            double exact = all[(int) Math.ceil(share * all.length) - 1] / 1e3;
            assertThat(counts.quantile(share)).as("%s", share).isCloseTo(exact, within(exact * 0.016));
        }
        double mean = Arrays.stream(all).average().orElseThrow() / 1e3;
        double variance = Arrays.stream(all)
                .mapToDouble(nanos -> (nanos / 1e3 - mean) * (nanos / 1e3 - mean))
                .average()
                .orElseThrow();
        assertThat(counts.least()).isEqualTo(all[0] / 1e3);
        assertThat(counts.most()).isEqualTo(all[all.length - 1] / 1e3);
        assertThat(counts.mean()).isCloseTo(mean, within(mean / 1e9));
        assertThat(counts.deviation()).isCloseTo(Math.sqrt(variance), within(Math.sqrt(variance) / 1e6));
    }

    @Test
    void takesAnyTime() {
        TimeCounts counts = new TimeCounts();
        for (long nanos : new long[] {0, 63, 64, 65, (1L << 40) - 1, 1L << 40, Long.MAX_VALUE}) {
            counts.record(nanos);
        }

        assertThat(counts.count()).isEqualTo(7);
        assertThat(counts.least()).isZero();
        assertThat(counts.quantile(2 / 7.0)).isEqualTo(0.063);
    }

    @Test
    void ofNoneAllIsZero() {
        TimeCounts none = new TimeCounts();

        assertThat(none.quantile(0.5)).isZero();
        assertThat(none.least()).isZero();
        assertThat(none.mean()).isZero();
        assertThat(none.deviation()).isZero();
    }

    @Test
    void readsBackWhatItWroteAndAddsUp() {
        TimeCounts one = new TimeCounts();
        one.record(40);
        one.record(1_000);
        TimeCounts other = new TimeCounts();
        other.record(7_000_000);

        TimeCounts both = TimeCounts.parse(one.format());
        both.add(TimeCounts.parse(other.format()));

        assertThat(both.count()).isEqualTo(3);
        assertThat(both.least()).isEqualTo(0.04);
        assertThat(both.most()).isEqualTo(7_000);
        assertThat(both.quantile(0.5)).isCloseTo(1, within(0.016));
        assertThat(both.mean()).isEqualTo((40 + 1_000 + 7_000_000) / 3e3);
    }

    @Test
    void refusesOtherWords() {
        assertThatThrownBy(() -> TimeCounts.parse("1,2,3")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TimeCounts.parse("1,2,3,4,x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TimeCounts.parse("1,2,3,4,99999:1")).isInstanceOf(IllegalArgumentException.class);
    }
}
