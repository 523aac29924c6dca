package io.hyperverbs.lab.run.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OtherWorkTest {
    @Test
    void countsWhatIsNeitherIdleNorWaitingAndGuestsOnce() {
        assertThat(OtherWork.busyTicks("cpu  1 2 4 1000 2000 8 16 32 64 128")).isEqualTo(1 + 2 + 4 + 8 + 16 + 32);
    }

    @Test
    void countsOfAProcessItsEndedChildrenToo() {
        assertThat(OtherWork.ownTicks("42 (a) b (c) S 1 42 42 0 -1 0 0 0 0 0 7 20 300 4000 20 0 1 0 9 9 9\n"))
                .isEqualTo(4327);
    }

    @Test
    void takesLinesOfOldKernels() {
        assertThat(OtherWork.busyTicks("cpu 1 2 4 1000")).isEqualTo(7);
    }
}
