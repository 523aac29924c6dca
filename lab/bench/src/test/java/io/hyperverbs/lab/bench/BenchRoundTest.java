package io.hyperverbs.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.DataPathKind;
import org.junit.jupiter.api.Test;

class BenchRoundTest {
    @Test
    void readsBackEveryVerbOnEveryPath() {
        for (BenchVerb verb : BenchVerb.values()) {
            for (DataPathKind path : DataPathKind.values()) {
                BenchRound command = new BenchRound(verb == BenchVerb.SEND, path, verb, 64, 1000, 10, 250);

                assertThat(BenchRound.parse(command.format())).isEqualTo(command);
            }
        }
    }

    @Test
    void refusesOtherLines() {
        assertThatThrownBy(() -> BenchRound.parse("end")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BenchRound.parse("active BYPASS FLY 1 2 3 4"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
