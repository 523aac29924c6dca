package io.hyperverbs.verbs.wait;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CostlyYieldTest {
    private final CostlyYield yield = new CostlyYield();

    @Test
    void isRememberedForAWhile() {
        yield.note(1_000, 1_000 + CostlyYield.COSTLY_NANOS);

        long end = 1_000 + CostlyYield.COSTLY_NANOS + CostlyYield.SHY_NANOS;
        assertThat(yield.isRecent(end - 1)).isTrue();
        assertThat(yield.isRecent(end)).isFalse();
    }

    @Test
    void cheapOneIsNone() {
        assertThat(yield.isRecent(0)).isFalse();

        yield.note(1_000, 1_000 + CostlyYield.COSTLY_NANOS - 1);

        assertThat(yield.isRecent(400_000)).isFalse();
    }

    @Test
    void cheapOneAfterwardsEndsIt() {
        yield.note(0, CostlyYield.COSTLY_NANOS);
        yield.note(CostlyYield.COSTLY_NANOS, CostlyYield.COSTLY_NANOS + 1);

        assertThat(yield.isRecent(CostlyYield.COSTLY_NANOS + 2)).isFalse();
    }

    /** The clock's numbers go round. */
    @Test
    void clockMayPassItsGreatestNumber() {
        long before = Long.MAX_VALUE - 5;
        yield.note(before, before + CostlyYield.COSTLY_NANOS);

        assertThat(yield.isRecent(before + CostlyYield.COSTLY_NANOS + 1)).isTrue();
        assertThat(yield.isRecent(before + 2 * CostlyYield.SHY_NANOS)).isFalse();
    }
}
