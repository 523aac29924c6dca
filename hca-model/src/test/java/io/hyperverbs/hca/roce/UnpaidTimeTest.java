package io.hyperverbs.hca.roce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnpaidTimeTest {
    private final UnpaidTime time = new UnpaidTime();
    private long now = 1_000_000;

    private long pauseNanos() {
        long from = now;
        long to = now;
        while (time.isPaused(to)) {
            to++;
        }
        return to - from;
    }

    @Test
    void aPauseIsFiveTimesWhatUnpaidPacketsTookBeyondTheGrace() {
        assertThat(pauseNanos()).isZero();

        time.spent(20_000, 0, now);
        assertThat(pauseNanos()).isZero();

        time.spent(1_000, 0, now);
        assertThat(pauseNanos()).isEqualTo(6_000);
    }

    @Test
    void theGraceIsThereAgainAfterItsTime() {
        time.spent(20_000, 0, now);
        now += 120_000;

        time.spent(20_000, 0, now);

        assertThat(pauseNanos()).isZero();
    }

    @Test
    void whatOthersAreDueIsAPauseAtOnce() {
        time.spent(1_000, 300, now);
        assertThat(pauseNanos()).isEqualTo(300);

        time.spent(0, 500, now);
        assertThat(pauseNanos()).isEqualTo(800);
    }

    @Test
    void noPauseIsLongerThanTwoMilliseconds() {
        time.spent(10_000_000, 5_000_000, now);

        assertThat(pauseNanos()).isEqualTo(2_000_000);
    }

    @Test
    void withoutAClockPacketsTakeWhatTheyCost() {
        assertThat(time.took(700, 300, now)).isEqualTo(700);
    }

    @Test
    void unpaidPacketsTookTheirPartOfTheMeasuredTime() {
        time.useClock(() -> now);
        long begin = time.time(0);
        now += 5_000;

        assertThat(time.took(1_000, 0, begin)).isEqualTo(5_000);
        assertThat(time.took(750, 250, begin)).isEqualTo(3_750);
    }

    @Test
    void timeInWhichTheThreadWasKeptFromRunningIsNotTheirs() {
        time.useClock(() -> now);
        long begin = time.time(0);
        now += 4_000_000;

        assertThat(time.took(1_000, 0, begin)).isEqualTo(10 * 1_000 + 10_000);
    }
}
