package io.hyperverbs.hca.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Rates of domains, in virtual time. */
class RateLimitTest {
    private static final long SECOND = 1_000_000_000;

    private final QpArbiter arbiter = new QpArbiter(4);
    private final DomainShare share = new DomainShare(1);
    private final DomainShare free = new DomainShare(2);
    private long now = 5;
    private long bytes;
    private long messages;

    /** A queue pair of {@code share} that always has messages of that size, for so long. */
    private void run(long nanos, long messageBytes) {
        long end = now + nanos;
        arbiter.add(share, 0);
        while (now - end < 0) {
            arbiter.release(now);
            int index = arbiter.take(now);
            if (index == QpArbiter.NOBODY) {
                long wait = arbiter.nanosToRelease(now);
                assertThat(wait).isPositive();
                now += Math.min(wait, end - now);
                continue;
            }
            long sent = 0;
            long spent = 0;
            while (spent < QpArbiter.SLICE_NANOS) {
                sent++;
                spent += EngineCost.request(messageBytes);
            }
            arbiter.add(index == 0 ? share : free, index);
            arbiter.charge(spent, sent * messageBytes, sent);
            if (index == 0) {
                bytes += sent * messageBytes;
                messages += sent;
            }
            now += spent;
        }
    }

    @Test
    void holdsBytesToTheirRate() {
        share.limit(100 << 20, 0);

        run(4 * SECOND, 65536);

        assertThat((double) bytes / (400 << 20)).isBetween(1.0, 1.01);
        assertThat(share.holds()).isPositive();
    }

    @Test
    void holdsMessagesToTheirRate() {
        share.limit(0, 50_000);

        run(4 * SECOND, 8);

        assertThat((double) messages / 200_000).isBetween(1.0, 1.01);
    }

    @Test
    void theTighterOfTwoHolds() {
        share.limit(1 << 20, 50_000);

        run(4 * SECOND, 4096);

        assertThat((double) bytes / (4 << 20)).isBetween(1.0, 1.05);
    }

    @Test
    void whoIsHeldDoesNotHoldOthers() {
        share.limit(1 << 20, 0);
        arbiter.add(free, 1);

        run(SECOND, 4096);

        assertThat((double) bytes / (1 << 20)).isBetween(1.0, 1.08);
        assertThat(arbiter.nanosToRelease(now)).isGreaterThan(0);
    }

    @Test
    void withoutALimitNothingIsHeld() {
        share.limit(1 << 20, 1);
        share.limit(0, 0);

        run(SECOND / 100, 4096);

        assertThat(share.holds()).isZero();
        assertThat(arbiter.nanosToRelease(now)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whoWasQuietMayBurstAHundredthOfASecond() {
        share.limit(100 << 20, 0);
        run(SECOND, 65536);
        now += 10 * SECOND;
        bytes = 0;

        run(1000, 65536);

        assertThat(bytes).isLessThan((1 << 20) + 2 * 65536);
    }

    @Test
    void whatItHoldsCanBeRemoved() {
        share.limit(1, 0);
        run(SECOND, 65536);

        arbiter.remove(share, 0);
        now += 1_000_000 * SECOND;
        arbiter.release(now);

        assertThat(arbiter.take(now)).isEqualTo(QpArbiter.NOBODY);
        assertThat(arbiter.isIdle()).isTrue();
    }
}
