package io.hyperverbs.lab.run.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.bench.RoundTrips;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundTripsTest {
    @Test
    void agreesWithTheBench() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int count : new int[] {1, 2, 3, 99, 100, 101, 1000}) {
            long[] nanos = random.longs(count, 500, 90_000).toArray();
            RoundTrips trips = new RoundTrips(count);
            for (long one : nanos) {
                trips.add(one);
            }
            Percentiles bench = Percentiles.ofNanos(List.of(nanos), 2);

            assertThat(trips.text())
                    .as("seed %d", seed)
                    .isEqualTo(String.format(
                            Locale.ROOT,
                            "half-rtt: min %.2f, median %.2f, p99 %.2f usec",
                            bench.min(),
                            bench.median(),
                            bench.percentile(99)));
        }
    }
}
