package io.hyperverbs.lab.run.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandingTest {
    @ParameterizedTest
    @CsvSource({
        "true, 3, 1.0, 0.25, RESULT",
        "true, 3, 1.0, 0.26, UNSTEADY",
        "true, 11, 140, 35, RESULT",
        "true, 2, 1.0, 0, FEW_ROUNDS",
        "true, 0, 1.0, 0, FEW_ROUNDS",
        "false, 11, 1.0, 0, DISTURBED",
        "false, 2, 1.0, 9, DISTURBED"
    })
    void isAResultIfEnoughRoundsAgree(boolean isGood, int rounds, double value, double spread, Standing standing) {
        assertThat(Standing.of(isGood, rounds, value, spread)).isEqualTo(standing);
    }
}
