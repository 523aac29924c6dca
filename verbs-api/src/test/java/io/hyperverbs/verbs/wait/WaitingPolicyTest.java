package io.hyperverbs.verbs.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WaitingPolicyTest {

    @Test
    void spinsBeforeItAdvisesSleep() {
        WaitingPolicy policy = new WaitingPolicy(3, 0);

        assertThat(policy.idle()).isFalse();
        assertThat(policy.idle()).isFalse();
        assertThat(policy.idle()).isFalse();
        assertThat(policy.idle()).isTrue();
    }

    @Test
    void startsAnewAfterReset() {
        WaitingPolicy policy = new WaitingPolicy(1, 0);
        assertThat(policy.idle()).isFalse();
        assertThat(policy.idle()).isTrue();

        policy.reset();

        assertThat(policy.idle()).isFalse();
        assertThat(policy.idle()).isTrue();
    }

    @Test
    void advisesSleepOnlyAfterTheWindow() {
        long windowNanos = 2_000_000;
        WaitingPolicy policy = new WaitingPolicy(0, windowNanos);
        long startNanos = System.nanoTime();

        while (!policy.idle()) {
            Thread.onSpinWait();
        }

        assertThat(System.nanoTime() - startNanos).isGreaterThanOrEqualTo(windowNanos);
    }

    @Test
    void yieldingNeverAdvisesSleep() {
        WaitingPolicy policy = WaitingPolicy.yielding();

        for (int i = 0; i < 1000; i++) {
            assertThat(policy.idle()).isFalse();
        }
    }

    /** Some tens of naps; as many yields take a thousandth of that time. */
    @Test
    void napsWithoutKeepingTheCore() {
        WaitingPolicy policy = new WaitingPolicy(0, 0);
        long startNanos = System.nanoTime();
        int naps = 0;

        while (System.nanoTime() - startNanos < 20_000_000) {
            policy.idleOrNap();
            naps++;
        }

        assertThat(naps).isLessThan(2000);
    }

    @Test
    void refusesNegativeSettings() {
        assertThatThrownBy(() -> new WaitingPolicy(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WaitingPolicy(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
