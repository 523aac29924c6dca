package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What of a link's rate is left for a stream of writes when packets are lost, beside what go-back-N
 * allows a queue pair with so many packets under way; time is simulated.
 */
class WireGoodputTest {
    private static final int MESSAGE = 256 << 10;
    private static final int UNDER_WAY = 16;
    private static final int HEADERS = 28 + 12 + 4;
    private static final double BITS_PER_SECOND = 10e9;
    private static final long STEP_NANOS = 250;
    private static final long NANOS = 40_000_000;

    /** Packets that a queue pair has under way, at most (docs/wire.md). */
    private static final int WINDOW = 64;

    private final WirePair pair = new WirePair(MESSAGE, 2 * UNDER_WAY);
    private final SteadyWrites writes = new SteadyWrites(pair.a, pair.from, pair.to, UNDER_WAY);

    /**
     * Of the payload that the link carries in the same time without loss. Too long a way leaves the link idle while the
     * window waits for acknowledgements. After a lost packet the time of a window is lost, or of a round trip if that
     * is longer: all of it is sent again. A packet that is lost twice is missed by the timer alone.
     */
    private static double allowed(double loss, long delayNanos) {
        double packetNanos = (WirePair.MTU + HEADERS) * 8 / BITS_PER_SECOND * 1e9;
        double tripNanos = 2 * delayNanos + packetNanos;
        double used = Math.min(1, WINDOW * packetNanos / tripNanos);
        double again = Math.max(WINDOW, tripNanos / packetNanos) + loss * WirePair.TIMEOUT_NANOS / packetNanos;
        return used * (1 - loss) / (1 - loss + loss * again);
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "0, 100", "0.1, 10", "0.1, 100", "1, 10"})
    void isWhatGoBackNAllows(double lossPercent, int delayMicros) {
        TestQp.connect(pair.a, pair.b, 7);
        String settings = "rate=10Gbit queue=16MiB delay=" + delayMicros + "us loss=" + lossPercent + "% seed=1";
        assertThat(pair.wire.b.hca.impair(1, WireFixture.A, LinkSettings.of(settings)))
                .isEqualTo(VerbsStatus.SUCCESS);
        assertThat(pair.wire.a.hca.impair(1, WireFixture.B, LinkSettings.of("delay=" + delayMicros + "us")))
                .isEqualTo(VerbsStatus.SUCCESS);

        for (long at = 0; at < NANOS; at += STEP_NANOS) {
            writes.go();
            pair.wire.a.now += STEP_NANOS;
            pair.wire.b.now += STEP_NANOS;
            pair.wire.turn();
        }

        double whole = BITS_PER_SECOND / 8 * WirePair.MTU / (WirePair.MTU + HEADERS) * NANOS / 1e9;
        double goodput = writes.bytes / whole;
        double allowed = allowed(lossPercent / 100, delayMicros * 1000L);
        assertThat(goodput / allowed)
                .as("goodput %.3f, allowed %.3f", goodput, allowed)
                .isBetween(0.85, 1.25);
    }
}
