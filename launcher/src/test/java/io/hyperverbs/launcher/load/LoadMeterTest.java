package io.hyperverbs.launcher.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadMeterTest {
    @Test
    void indexesWrapAndQueuesAreReused() {
        assertThat(LoadMeter.advance(5, 5)).isZero();
        assertThat(LoadMeter.advance(5, 12)).isEqualTo(7);
        assertThat(LoadMeter.advance(-3, 4)).isEqualTo(7);
        assertThat(LoadMeter.advance(Integer.MAX_VALUE, Integer.MIN_VALUE)).isEqualTo(1);
        assertThat(LoadMeter.advance(500, 20)).as("of another queue").isEqualTo(20);
    }
}
