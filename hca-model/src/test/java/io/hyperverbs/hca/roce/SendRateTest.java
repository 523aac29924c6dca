package io.hyperverbs.hca.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SendRateTest {
    private static final double LINE = SendRate.LINE_BYTES_PER_SECOND;
    private static final long SECOND = 1_000_000_000;

    private final SendRate rate = new SendRate();
    private long now = SECOND;

    /** Sends whenever it may, for so long; bytes a second. */
    private double sendFor(long nanos) {
        long end = now + nanos;
        long bytes = 0;
        while (now < end) {
            long wait = rate.waitNanos(now);
            if (wait > 0) {
                now += wait;
            } else {
                rate.sent(4096, now);
                bytes += 4096;
                now += 100;
            }
        }
        return bytes * 1e9 / nanos;
    }

    @Test
    void nobodyIsHeldBackWithoutCongestion() {
        assertThat(sendFor(SECOND / 1000)).isEqualTo(4096 * 1e7, within(1e7));
        assertThat(rate.bytesPerSecond()).isEqualTo(LINE);
    }

    @Test
    void theFirstNotificationHalvesTheRate() {
        rate.congested(now);

        assertThat(rate.bytesPerSecond()).isEqualTo(LINE / 2);
        assertThat(sendFor(200_000)).isEqualTo(LINE / 2, within(LINE / 10));
    }

    @Test
    void manyNotificationsLeaveTheLeastRate() {
        for (int i = 0; i < 10_000; i++) {
            rate.congested(now);
            now += 50_000;
        }

        assertThat(rate.bytesPerSecond()).isEqualTo(1e6);
    }

    @Test
    void theRateComesBackAndTheLimitGoes() {
        rate.congested(now);
        double before = rate.bytesPerSecond();

        for (int i = 0; i < 100 && rate.bytesPerSecond() < LINE; i++) {
            double _ = sendFor(400_000);
            assertThat(rate.bytesPerSecond()).isGreaterThanOrEqualTo(before);
            before = rate.bytesPerSecond();
        }
        assertThat(rate.bytesPerSecond()).isEqualTo(LINE);
        assertThat(rate.waitNanos(now)).isZero();
    }

    @Test
    void notificationsInARowSlowDownLessAsTheyGetRare() {
        rate.congested(now);
        now += 100 * 55_000;
        long _ = rate.waitNanos(now);
        double before = rate.bytesPerSecond();

        rate.congested(now);

        assertThat(rate.bytesPerSecond()).isGreaterThan(before * 0.9);
    }
}
