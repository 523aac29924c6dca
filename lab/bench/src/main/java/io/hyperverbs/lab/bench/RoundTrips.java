package io.hyperverbs.lab.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * How long timed round trips took; all of them count. One thread; no allocation in {@link #add}.
 */
public final class RoundTrips {
    private final long[] nanos;
    private int count;

    public RoundTrips(int most) {
        nanos = new long[most];
    }

    public void add(long roundTripNanos) {
        nanos[count++] = roundTripNanos;
    }

    /** In the words of {@code hv bench}: its time of a send is half a round trip. */
    public String text() {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        double median = count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + (double) sorted[count / 2]) / 2;
        // Nearest rank, as in the bench.
        double p99 = sorted[Math.clamp((int) Math.ceil(0.99 * count - 1e-9), 1, count) - 1];
        return String.format(
                Locale.ROOT,
                "half-rtt: min %.2f, median %.2f, p99 %.2f usec",
                sorted[0] / 2e3,
                median / 2e3,
                p99 / 2e3);
    }
}
