package io.hyperverbs.lab.run.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OtherWorkTest {
    @Test
    void countsWhatIsNeitherIdleNorWaitingAndGuestsOnce() {
        assertThat(OtherWork.busyTicks("cpu  1 2 4 1000 2000 8 16 32 64 128")).isEqualTo(1 + 2 + 4 + 8 + 16 + 32);
    }

    @Test
    void takesLinesOfOldKernels() {
        assertThat(OtherWork.busyTicks("cpu 1 2 4 1000")).isEqualTo(7);
    }
}
