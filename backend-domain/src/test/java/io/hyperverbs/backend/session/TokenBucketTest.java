package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
    @Test
    void givesOneSecondsWorthAtOnceAndThenItsRate() {
        TokenBucket bucket = new TokenBucket(4);

        assertThat(taken(bucket, 0)).isEqualTo(4);
        assertThat(taken(bucket, 250_000_000)).isEqualTo(1);
        assertThat(taken(bucket, 60_000_000_000L)).isEqualTo(4);
    }

    @Test
    void takesNothingAtRateZero() {
        assertThat(taken(new TokenBucket(0), 1_000_000_000)).isZero();
    }

    @Test
    void standsStillWhenTheClockDoes() {
        TokenBucket bucket = new TokenBucket(1);

        assertThat(taken(bucket, 5)).isEqualTo(1);
        assertThat(taken(bucket, 5)).isZero();
    }

    private static int taken(TokenBucket bucket, long nowNanos) {
        int taken = 0;
        while (taken < 100 && bucket.take(nowNanos)) {
            taken++;
        }
        return taken;
    }
}
