package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random requests of a reliable connection over a network that loses, doubles and reorders. */
class WireLossTest {
    private static final int ROUNDS = Integer.getInteger("wire.rounds", 400);
    private static final long MILLISECOND = 1_000_000;

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "0.01, 0, 0", "0, 0.05, 0", "0, 0, 0.05", "0.05, 0.05, 0.05", "0.3, 0.1, 0.1"})
    void nothingIsLostDoubledOrMixedUp(double loss, double duplicates, double overtakings) {
        WireTraffic traffic = new WireTraffic(Double.hashCode(loss) ^ 31L * Double.hashCode(duplicates), MILLISECOND);
        traffic.wire.network.impair(loss, duplicates, overtakings);

        traffic.run(ROUNDS);

        assertThat(loss == 0 || traffic.wire.a.counter(Counter.LOCAL_ACK_TIMEOUT_ERR) > 0)
                .isTrue();
    }
}
