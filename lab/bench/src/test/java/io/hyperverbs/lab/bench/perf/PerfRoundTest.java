package io.hyperverbs.lab.bench.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpType;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PerfRoundTest {
    private static PerfRound round(BenchVerb verb, boolean latency, Set<PerfFlag> flags) {
        PerfQueues queues = new PerfQueues(2, 128, 512, 4, 8, 64);
        return new PerfRound(
                7, true, latency, verb, QpType.RC, DataPathKind.FORWARDED, 4096, 1000, 3, 250, queues, flags);
    }

    @Test
    void readsBackWhatItWrote() {
        for (BenchVerb verb : BenchVerb.values()) {
            PerfRound all = round(verb, false, EnumSet.allOf(PerfFlag.class));
            PerfRound none = round(verb, true, Set.of()).side(false);

            assertThat(PerfRound.parse(all.format())).isEqualTo(all);
            assertThat(PerfRound.parse(none.format())).isEqualTo(none);
            assertThat(none.active()).isFalse();
        }
    }

    @Test
    void refusesOtherLines() {
        String line = round(BenchVerb.SEND, true, Set.of()).format();

        assertThatThrownBy(() -> PerfRound.parse("end")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PerfRound.parse(line + " FAST")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PerfRound.parse(line.replace("4096", "4k"))).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void bothSidesSendWhereBothDirectionsAreMeasured() {
        PerfRound one = round(BenchVerb.SEND, false, Set.of());
        PerfRound both = round(BenchVerb.SEND, false, Set.of(PerfFlag.BIDIRECTIONAL));

        assertThat(one.requests()).isTrue();
        assertThat(one.receives()).isFalse();
        assertThat(one.side(false).requests()).isFalse();
        assertThat(one.side(false).receives()).isTrue();
        assertThat(both.side(false).requests()).isTrue();
        assertThat(both.receives()).isTrue();
        assertThat(round(BenchVerb.WRITE, false, Set.of()).side(false).receives())
                .isFalse();
    }
}
