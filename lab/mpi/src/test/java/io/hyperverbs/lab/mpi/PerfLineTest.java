package io.hyperverbs.lab.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of figures, and the arguments that ask for them. */
class PerfLineTest {
    @Test
    void comesBackFromItsText() {
        PerfLine line = new PerfLine(PerfLine.SEND_HALF_TRIP, 1048576, 87.125);

        assertThat(line.text()).isEqualTo("mpi-perf: half trip by SEND, us: 1048576: 87.125");
        assertThat(PerfLine.of(line.text() + "\r")).contains(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "mpi-perf: is for two ranks; hv mpirun -n 2 mpi-perf",
                "mpi-perf: half trip, us: 8: NaN",
                "mpi-perf: half trip, us: -8: 1.000",
                "x mpi-perf: half trip, us: 8: 1.000"
            })
    void otherLinesAreNone(String line) {
        assertThat(PerfLine.of(line)).isEmpty();
    }

    @Test
    void messagesAreForTwoRanksAndOperationsForAll() {
        assertThat(lines("lines all 40 0,8").isForTwo()).isTrue();
        assertThat(lines("lines messages 40 1048576").isForTwo()).isTrue();
        assertThat(lines("lines trips 40 8").isForTwo()).isTrue();
        assertThat(lines("lines streams 40 1024").isForTwo()).isTrue();
        assertThat(lines("lines operations 1 8").isForTwo()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lines",
                "line all 40 8",
                "lines some 40 8",
                "lines all 0 8",
                "lines all 40 8,",
                "lines all 40 8 8",
                "lines all 40 1048577"
            })
    void saysWhatIsWrongWithArguments(String words) {
        assertThatThrownBy(() -> lines(words))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("\n");
    }

    private static PerfLines lines(String words) {
        return PerfLines.of(words.split(" "));
    }
}
