package io.hyperverbs.backend.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class ChannelBudgetTest {
    private static final BudgetLimits LIMITS = BudgetLimits.standard();
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private long nowNanos;
    private final ChannelBudget budget = new ChannelBudget(LIMITS);

    private static int taken(BooleanSupplier take) {
        int taken = 0;
        while (taken < 1_000_000 && take.getAsBoolean()) {
            taken++;
        }
        return taken;
    }

    @Test
    void boundsWhatCarriesNothingAtOnceAndOverTime() {
        assertThat(taken(() -> budget.connect(nowNanos))).isEqualTo(LIMITS.connectBurst());
        assertThat(taken(() -> budget.call(nowNanos))).isEqualTo(LIMITS.callBurst());
        assertThat(taken(() -> budget.data(nowNanos))).isEqualTo(LIMITS.dataBurst());
        assertThat(taken(() -> budget.reset(nowNanos))).isEqualTo(LIMITS.resetBurst());

        nowNanos += SECOND;

        assertThat(taken(() -> budget.connect(nowNanos))).isEqualTo(LIMITS.connectsPerSecond());
        assertThat(taken(() -> budget.call(nowNanos))).isEqualTo(LIMITS.callsPerSecond());
        assertThat(taken(() -> budget.data(nowNanos))).isEqualTo(LIMITS.dataPerSecond());
        assertThat(taken(() -> budget.reset(nowNanos))).isEqualTo(LIMITS.resetsPerSecond());
    }

    /** A driver that pipelines: 64 calls under way on each of two connections, without a pause. */
    @Test
    void neverEndsForCallsWithMessages() {
        int underWay = 128;
        for (int round = 0; round < 10_000; round++) {
            for (int i = 0; i < underWay; i++) {
                assertThat(budget.call(nowNanos)).isTrue();
                assertThat(budget.data(nowNanos)).isTrue();
            }
            for (int i = 0; i < underWay; i++) {
                budget.usefulCall();
                budget.message(40);
            }
        }
    }

    /** Each of 64 KiB, in frames of 16 KiB as HTTP/2 has them. */
    @Test
    void neverEndsForTheLargestMessages() {
        for (int message = 0; message < 10_000; message++) {
            for (int frame = 0; frame < 5; frame++) {
                assertThat(budget.data(nowNanos)).isTrue();
            }
            budget.message(64 << 10);
        }
    }

    @Test
    void holdsNoMoreForCallsThatWereWorthIt() {
        for (int i = 0; i < 1_000; i++) {
            budget.usefulCall();
        }

        assertThat(taken(() -> budget.call(nowNanos))).isEqualTo(LIMITS.callBurst());
    }

    @Test
    void pausesGrowUntilADomainKeepsWithinItsBudget() {
        assertThat(budget.pauseNanos(nowNanos)).isEqualTo(10 * MILLI);
        nowNanos += SECOND;
        assertThat(budget.pauseNanos(nowNanos)).isEqualTo(20 * MILLI);
        for (int i = 0; i < 10; i++) {
            var _ = budget.pauseNanos(nowNanos);
        }
        assertThat(budget.pauseNanos(nowNanos)).isEqualTo(100 * MILLI);

        nowNanos += 11 * SECOND;

        assertThat(budget.pauseNanos(nowNanos)).isEqualTo(10 * MILLI);
    }
}
