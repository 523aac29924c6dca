package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
    @Test
    void takesMoreThanOneForWhatCostsMore() {
        TokenBucket bucket = new TokenBucket(10);

        assertThat(bucket.take(0, 7)).isTrue();
        assertThat(bucket.take(0, 4)).isFalse();
        assertThat(bucket.take(0, 3)).isTrue();
    }

    @Test
    void whatCostsMoreThanItHoldsTakesAll() {
        TokenBucket bucket = new TokenBucket(2);

        assertThat(bucket.take(0, 100)).isTrue();
        assertThat(bucket.take(0)).isFalse();
        assertThat(bucket.take(1_000_000_000, 100)).isTrue();
    }

    @Test
    void holdsItsBurstAndFillsByItsRate() {
        TokenBucket bucket = TokenBucket.ofBurst(2, 5);

        assertThat(taken(bucket, 0)).isEqualTo(5);
        assertThat(taken(bucket, 1_000_000_000)).isEqualTo(2);
        bucket.giveBack(100);
        assertThat(taken(bucket, 1_000_000_000)).isEqualTo(5);
    }

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

    @Test
    void givesOnCreditWhatIsPaidBackFirst() {
        TokenBucket bucket = new TokenBucket(2, 3);
        assertThat(taken(bucket, 0)).isEqualTo(2);

        assertThat(bucket.takeOnCredit(0)).isTrue();
        assertThat(bucket.takeOnCredit(0)).isTrue();
        assertThat(bucket.takeOnCredit(0)).isTrue();
        assertThat(bucket.takeOnCredit(0)).isFalse();
        assertThat(bucket.take(1_500_000_000)).isFalse();
        assertThat(bucket.take(2_000_000_000)).isTrue();
    }

    @Test
    void clockMayBeginBelowZeroAndGoBack() {
        long start = -10_000_000_000L;
        TokenBucket bucket = new TokenBucket(4);

        assertThat(bucket.perSecond()).isEqualTo(4);
        assertThat(taken(bucket, start)).isEqualTo(4);
        assertThat(taken(bucket, start - 1_000_000_000)).isZero();
        assertThat(taken(bucket, start + 500_000_000)).isEqualTo(2);
    }

    @Test
    void whatIsChargedIsPaidBackOverTime() {
        TokenBucket bucket = new TokenBucket(10);
        assertThat(bucket.isSpent(0)).isFalse();

        bucket.charge(0, 10);
        assertThat(bucket.isSpent(0)).isTrue();
        assertThat(bucket.isSpent(100_000_000)).isFalse();

        bucket.charge(100_000_000, 21);
        assertThat(bucket.isSpent(2_000_000_000)).isTrue();
        assertThat(bucket.isSpent(2_200_000_000L)).isFalse();
    }

    @Test
    void aChargeFindsWhatTimeHasFilled() {
        TokenBucket bucket = new TokenBucket(10);
        bucket.charge(0, 10);

        // Ten are there again by then; who did not fill first would be in debt.
        bucket.charge(1_000_000_000, 9);

        assertThat(bucket.isSpent(1_000_000_000)).isFalse();
    }

    private static int taken(TokenBucket bucket, long nowNanos) {
        int taken = 0;
        while (taken < 100 && bucket.take(nowNanos)) {
            taken++;
        }
        return taken;
    }
}
