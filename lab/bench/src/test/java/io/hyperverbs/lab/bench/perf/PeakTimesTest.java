package io.hyperverbs.lab.bench.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeakTimesTest {
    @Test
    void theShortestTimeOfAMessageCounts() {
        PeakTimes times = new PeakTimes(4);
        long beganNanos = System.nanoTime();
        times.posted(4);
        long postedNanos = System.nanoTime();

        // Two are complete after 10 s, and all four after 12 s: 3 s each at best.
        times.completed(2, postedNanos + 10_000_000_000L);
        times.completed(4, postedNanos + 12_000_000_000L);

        double slack = (postedNanos - beganNanos) / 4.0;
        assertThat(times.nanosEach(4)).isBetween(3e9, 3e9 + slack);
    }

    @Test
    void anIntervalMayBeginLater() {
        PeakTimes times = new PeakTimes(2);
        times.posted(1);
        long firstNanos = System.nanoTime();
        times.completed(1, firstNanos + 60_000_000_000L);
        times.posted(1);
        times.completed(2, firstNanos + 61_000_000_000L);

        // Both took 61 s from the first post, and the second one 61 s from its own: 30.5 s each over both.
        assertThat(times.nanosEach(1)).isBetween(30e9, 30.6e9);
    }

    @Test
    void withoutTimesThereIsNoPeak() {
        PeakTimes times = new PeakTimes(0);
        times.posted(16);
        times.completed(16, System.nanoTime());

        assertThat(times.nanosEach(1)).isZero();
    }
}
