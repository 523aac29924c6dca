package io.hyperverbs.lab.run.ip;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.output.Format;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is printed of rounds. */
class IpBenchTest {
    private static final IpCell CELL = new IpCell(IpCell.Kind.STREAM, 65536);

    @Test
    void ratiosAreThoseOfTheSameRound() {
        IpBench bench = new IpBench(List.of(pair("native"), pair("bypass")), List.of(CELL), 3);
        double[] natives = {100, 200, 400};
        double[] bypasses = {90, 220, 200};
        for (int i = 0; i < natives.length; i++) {
            bench.note(CELL, "native", natives[i]);
            bench.note(CELL, "bypass", bypasses[i]);
        }

        assertThat(bench.table().render(Format.TABLE, 200))
                .contains("NATIVE", "BYPASS/NATIVE", "65536", "200", "0.90 (0.50 to 1.10)");
    }

    @Test
    void eachKindIsMeasuredWithEachSize() {
        assertThat(IpCell.of(List.of(1, 2)))
                .containsExactly(
                        new IpCell(IpCell.Kind.HALF_ROUND_TRIP, 1),
                        new IpCell(IpCell.Kind.HALF_ROUND_TRIP, 2),
                        new IpCell(IpCell.Kind.STREAM, 1),
                        new IpCell(IpCell.Kind.STREAM, 2));
    }

    private static IpPair pair(String word) {
        return new IpPair(word, Path.of("/a"), Path.of("/b"), "10.1.0.1");
    }
}
