package io.hyperverbs.lab.bench.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpType;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternRoundTest {
    private static final PerfRound SIDE = new PerfRound(
            9,
            true,
            false,
            BenchVerb.SEND,
            QpType.RC,
            DataPathKind.BYPASS,
            64,
            5,
            1,
            300,
            new PerfQueues(1, 128, 512, 1, 100, 0),
            Set.of(PerfFlag.NO_PEAK));

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsBackWhatItWrote(boolean timed) {
        PatternRound round = new PatternRound(
                8,
                timed,
                List.of("g2", "g3"),
                List.of(new PatternRound.Link("g2", SIDE), new PatternRound.Link("g3", SIDE.side(false))));

        assertThat(PatternRound.parse(round.format())).isEqualTo(round);
    }

    @Test
    void refusesOtherLines() {
        assertThatThrownBy(() -> PatternRound.parse("end")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PatternRound.parse("1 timed a")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PatternRound.parse("1 timed a;b")).isInstanceOf(IllegalArgumentException.class);
    }
}
