package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogPaceTest {
    private static final long SECOND = 1_000_000_000L;

    private final LogPace pace = new LogPace(1000, 5000, 0);

    @Test
    void takesItsStockAtOnceAndThenWaits() {
        assertThat(pace.delayNanos(5000, 0)).isZero();
        assertThat(pace.delayNanos(500, 0)).isEqualTo(SECOND / 2);
    }

    @Test
    void readsNoMoreThanItsPaceHoweverLongItGoesOn() {
        long now = 0;
        long bytes = 0;
        while (now < 100 * SECOND) {
            now += pace.delayNanos(800, now);
            bytes += 800;
        }

        assertThat(bytes).isBetween(100 * 1000L, 100 * 1000L + 5000 + 800);
    }

    @Test
    void savesNoMoreThanItsStock() {
        assertThat(pace.delayNanos(5000, 0)).isZero();
        assertThat(pace.delayNanos(5000, 1000 * SECOND)).isZero();
        assertThat(pace.delayNanos(1000, 1000 * SECOND)).isEqualTo(SECOND);
    }
}
