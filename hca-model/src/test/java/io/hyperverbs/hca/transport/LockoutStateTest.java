package io.hyperverbs.hca.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is counted and when it is forgotten, to the nanosecond. */
class LockoutStateTest {
    private static final long WINDOW = 1000;
    private static final long PAUSE = 100;
    private static final LockoutPolicy POLICY = new LockoutPolicy(3, WINDOW, PAUSE, 8 * PAUSE);

    private final LockoutState state = new LockoutState(POLICY);

    private boolean miss(long nowNanos) {
        return state.miss(POLICY, nowNanos);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5 * WINDOW, -5 * WINDOW, -WINDOW / 2, Long.MAX_VALUE - WINDOW / 2})
    void clockMayBeginAnywhere(long start) {
        assertThat(miss(start)).isFalse();
        assertThat(state.isPausing(start)).isFalse();
        assertThat(miss(start + 1)).isFalse();
        assertThat(miss(start + WINDOW)).isTrue();
        assertThat(state.untilNanos()).isEqualTo(start + WINDOW + PAUSE);
    }

    @Test
    void missesInANanosecondMoreThanTheWindowAreNoReason() {
        assertThat(miss(1)).isFalse();
        assertThat(miss(2)).isFalse();
        assertThat(miss(2 + WINDOW)).isFalse();
        assertThat(miss(2 + WINDOW)).isTrue();
    }

    @Test
    void pauseEndsWithItsLastNanosecond() {
        miss(1);
        miss(1);
        miss(1);

        assertThat(state.isPausing(PAUSE)).isTrue();
        assertThat(state.isPausing(1 + PAUSE)).isFalse();
    }

    @Test
    void pausesDoubleUpToTheirMaximum() {
        miss(1);
        miss(1);
        for (long pause : new long[] {1, 2, 4, 8, 8, 8}) {
            assertThat(miss(1)).isTrue();
            assertThat(state.untilNanos()).isEqualTo(1 + pause * PAUSE);
        }
    }

    @Test
    void nothingToForgetIsForgotten() {
        assertThat(state.isForgotten(POLICY, 0)).isTrue();
        assertThat(state.isPausing(-1)).isFalse();
    }

    @Test
    void missesAreForgottenAfterTheWindow() {
        miss(1);

        assertThat(state.isForgotten(POLICY, 1 + WINDOW)).isFalse();
        assertThat(state.isForgotten(POLICY, 2 + WINDOW)).isTrue();
    }

    @Test
    void pausesAreForgottenTheWindowAfterTheirEnd() {
        miss(1);
        miss(1);
        miss(1);

        assertThat(state.isForgotten(POLICY, 1 + PAUSE + WINDOW)).isFalse();
        assertThat(miss(2 + PAUSE + WINDOW)).isFalse();
        assertThat(state.isPausing(2 + PAUSE + WINDOW)).isFalse();
        assertThat(miss(2 + PAUSE + WINDOW)).isFalse();
        assertThat(miss(2 + PAUSE + WINDOW)).isTrue();
        assertThat(state.untilNanos()).isEqualTo(2 + WINDOW + 2 * PAUSE);
    }
}
