package io.hyperverbs.lab.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VictimRhythmTest {
    private static final long SECOND = 1_000_000_000;

    /** What a round takes. */
    private static final long ROUND = 100_000;

    private long now = 1;
    private long rounds;

    /** Rounds one after the other until {@code end}. */
    private void run(VictimRhythm rhythm, long end) {
        while (now < end) {
            now += ROUND;
            rounds++;
            now += rhythm.pauseNanos(now);
        }
    }

    @Test
    void withoutALoadEachRoundIsFollowedByARest() {
        VictimRhythm rhythm = new VictimRhythm(0);

        run(rhythm, SECOND);

        assertThat(rounds).isBetween(190L, 200L);
        assertThat(rhythm.peakPerSecond()).isZero();
    }

    @Test
    void aPeakIsWhatIsMadeOfTheSecondHalf() {
        VictimRhythm rhythm = new VictimRhythm(70);
        // A round takes ten times as long while it is not warm.
        while (now < VictimRhythm.PEAK_NANOS / 2) {
            now += 10 * ROUND;
            assertThat(rhythm.pauseNanos(now)).isZero();
        }

        run(rhythm, VictimRhythm.PEAK_NANOS + 2 * SECOND);

        assertThat(rhythm.peakPerSecond()).isBetween(9_990L, 10_010L);
    }

    @Test
    void aShareOfThePeakIsKept() {
        VictimRhythm rhythm = new VictimRhythm(70);
        run(rhythm, VictimRhythm.PEAK_NANOS + SECOND);
        rounds = 0;

        run(rhythm, now + 10 * SECOND);

        assertThat(rounds).isBetween(69_900L, 70_100L);
    }

    @Test
    void whatWasMissedIsMadeUpForIfItIsNotLongAgo() {
        VictimRhythm rhythm = new VictimRhythm(50);
        run(rhythm, VictimRhythm.PEAK_NANOS + SECOND);
        rounds = 0;
        now += VictimRhythm.MEMORY_NANOS / 2;

        run(rhythm, now + VictimRhythm.MEMORY_NANOS / 2);
        assertThat(rounds).as("at full speed").isBetween(49_000L, 51_000L);

        rounds = 0;
        now += 100 * VictimRhythm.MEMORY_NANOS;
        run(rhythm, now + 2 * VictimRhythm.MEMORY_NANOS);
        assertThat(rounds).as("ten seconds of a thousand").isBetween(148_000L, 152_000L);
    }
}
