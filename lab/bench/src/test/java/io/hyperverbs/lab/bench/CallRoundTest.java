package io.hyperverbs.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CallRoundTest {
    @Test
    void readsBackEverySequence() {
        for (CallSequence sequence : CallSequence.values()) {
            CallRound round = new CallRound(sequence, 4096, 100, 5, 250);

            assertThat(CallRound.parse(round.format())).isEqualTo(round);
            assertThat(sequence.steps()).isNotEmpty().doesNotHaveDuplicates();
        }
    }

    @Test
    void refusesOtherLines() {
        assertThatThrownBy(() -> CallRound.parse("MR 4096")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CallRound.parse("FLY 1 2 3 4")).isInstanceOf(IllegalArgumentException.class);
    }
}
