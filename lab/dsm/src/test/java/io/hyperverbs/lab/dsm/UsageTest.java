package io.hyperverbs.lab.dsm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.dsm.litmus.DsmCheck;
import io.hyperverbs.lab.dsm.perf.DsmPerf;
import io.hyperverbs.verbs.ProgramExit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program cannot do is refused before its node joins. */
class UsageTest {
    @ParameterizedTest
    @ValueSource(strings = {"0", "10000001", "many", "1 -1", "1 x", "1 1 interrupt"})
    void aCheckOfWhatCannotBeIsRefused(String words) {
        assertThatThrownBy(() -> DsmCheck.main(words.split(" "))).isInstanceOf(ProgramExit.class);
    }

    @Test
    void costsAreMeasuredOnThreeNodes() {
        assertThatThrownBy(() -> DsmPerf.main(new String[0])).isInstanceOf(ProgramExit.class);
    }
}
