package io.hyperverbs.backend.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Loops that work as much as they are let, on a clock that is passed in. */
class LoopShareTest {
    private static final long MICRO = 1_000;
    private static final long SECOND = 1_000_000_000;
    private static final long BATCH_NANOS = 300 * MICRO;

    private final LoopShares all = new LoopShares(1);

    /** What a loop that always has something to read uses of a second that begins then. */
    private static double used(LoopShare loop, LoopShare other, long otherEveryNanos, long from) {
        long now = from;
        long used = 0;
        long nextOther = from;
        while (now < from + SECOND) {
            if (otherEveryNanos > 0 && now >= nextOther) {
                var _ = other.pauseNanos(50 * MICRO, now);
                nextOther += otherEveryNanos;
            }
            now += BATCH_NANOS;
            used += BATCH_NANOS;
            now += loop.pauseNanos(BATCH_NANOS, now);
        }
        return (double) used / (double) (now - from);
    }

    @Test
    void aloneItMayHaveACore() {
        assertThat(used(all.join(), all.join(), 0, 0)).isEqualTo(1.0);
    }

    @Test
    void besideAnotherThatWorksItHasItsShare() {
        assertThat(used(all.join(), all.join(), 2_000 * MICRO, 0)).isCloseTo(0.33, within(0.02));
    }

    @Test
    void whatItUsedAloneIsNotHeldAgainstIt() {
        LoopShare loop = all.join();
        LoopShare other = all.join();
        var _ = used(loop, other, 0, 0);

        assertThat(used(loop, other, 2_000 * MICRO, 10 * SECOND)).isCloseTo(0.33, within(0.02));
        assertThat(used(loop, other, 0, 20 * SECOND)).isEqualTo(1.0);
    }

    @Test
    void whoAsksForLessIsNeverPaused() {
        LoopShare modest = all.join();
        LoopShare other = all.join();
        for (long now = 0; now < SECOND; now += 1_000 * MICRO) {
            var _ = other.pauseNanos(900 * MICRO, now);

            assertThat(modest.pauseNanos(200 * MICRO, now)).isZero();
        }
    }

    @Test
    void withACoreForEachAndOneForProgramsNobodyPauses() {
        LoopShares many = new LoopShares(3);

        assertThat(used(many.join(), many.join(), 2_000 * MICRO, 0)).isEqualTo(1.0);
    }

    @Test
    void whoIsGoneTakesNoShare() {
        LoopShare loop = all.join();
        LoopShare other = all.join();
        var _ = other.pauseNanos(BATCH_NANOS, 0);
        all.leave(other);

        assertThat(loop.pauseNanos(100 * BATCH_NANOS, 1)).isZero();
    }

    @Test
    void noPauseIsLongerThanTheOthersNeed() {
        LoopShare loop = all.join();
        var _ = all.join().pauseNanos(BATCH_NANOS, 0);

        assertThat(loop.pauseNanos(SECOND, 1)).isEqualTo(LoopShare.MOST_PAUSE_NANOS);
        // What it had taken beyond that is forgotten.
        assertThat(loop.pauseNanos(0, LoopShare.MOST_PAUSE_NANOS + 2)).isZero();
    }
}
