package io.hyperverbs.lab.run.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HopStateTest {
    @ParameterizedTest
    @CsvSource({
        "45, NEAR",
        "60, NEAR",
        "109.9, NEAR",
        "110, FAR",
        "160, FAR",
        "290, FAR",
        "1999, FAR",
        "2000, SHARED",
        "4000000, SHARED"
    })
    void classifiesAProbe(double nanos, HopState state) {
        assertThat(HopState.of(nanos)).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource({
        "45, 60, NEAR",
        "60, 45, NEAR",
        "160, 280, FAR",
        "60, 200, MIXED",
        "200, 60, MIXED",
        "115, 290, MIXED",
        "290, 115, MIXED",
        "3000, 9000000, SHARED",
        "60, 5000, NEAR",
        "5000, 200, FAR",
        "28, 53, NEAR",
        "20, 60, MIXED"
    })
    void classifiesWhatLiesBetweenTwoProbes(double before, double after, HopState state) {
        assertThat(HopState.between(before, after)).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource({
        "45, 50, 60, NEAR",
        "200, 210, 220, FAR",
        "45, 200, 50, MIXED",
        "45, 50, 200, MIXED",
        "45, 200, 210, MIXED",
        "45, 5000, 200, MIXED",
        "5000, 45, 50, NEAR",
        "45, 50, 5000, NEAR",
        "5000, 5000, 200, FAR",
        "5000, 200, 5000, FAR",
        "5000, 5000, 5000, SHARED"
    })
    void classifiesTwoThingsInTurn(double before, double middle, double after, HopState state) {
        assertThat(HopState.between(before, middle, after)).isEqualTo(state);
    }

    @Test
    void probeEndsInTimeWithAPositiveHop() throws InterruptedException {
        long beganNanos = System.nanoTime();

        double hopNanos = HopProbe.measureNanos(20);

        assertThat(hopNanos).isPositive();
        // It watches the clock even when both threads have to share a core.
        assertThat(System.nanoTime() - beganNanos).isLessThan(10_000_000_000L);
    }
}
