package io.hyperverbs.lab.run.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FigureDataTest {
    private static final FigureCell CELL = new FigureCell("write", 64);

    @Test
    void dividesValuesOfTheSameRound() {
        List<FigureRound> rounds = new ArrayList<>();
        // The medians' ratio would be 1; each round's is 2 but for the last.
        double[][] pairs = {{1, 2}, {2, 4}, {4, 8}, {8, 2}};
        for (int i = 0; i < pairs.length; i++) {
            rounds.add(MadeFigure.round("write", 64, i, Map.of("native", pairs[i][0], "bypass", pairs[i][1])));
        }
        FigureData figure = new FigureData(MadeFigure.info("latency"), rounds);

        FigureRatio ratio = figure.ratio(CELL, "bypass", "native").orElseThrow();

        assertThat(ratio.byRound()).containsExactly(2.0, 2.0, 2.0, 0.25);
        assertThat(ratio.value()).isCloseTo(2, within(1e-9));
        assertThat(figure.ratio(CELL, "native", "native")).isEmpty();
        assertThat(figure.ratio(CELL, "forwarded", "native")).isEmpty();
        assertThat(figure.series()).containsExactly("native", "bypass");
    }

    @Test
    void countsRoundsOfOneHopStateAndDropsDisturbedOnes() {
        List<FigureRound> rounds = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            rounds.add(MadeFigure.round("write", 64, i, Map.of("native", 1.0, "bypass", 1.0)));
        }
        rounds.add(FigureRound.of(CELL, 3, HopState.MIXED, 0, Map.of("native", 1.0, "bypass", 9.0)));
        rounds.add(FigureRound.of(CELL, 4, HopState.NEAR, 1.5, Map.of("native", 1.0, "bypass", 9.0)));
        FigureData figure = new FigureData(MadeFigure.info("latency"), rounds);

        FigureRatio ratio = figure.ratio(CELL, "bypass", "native").orElseThrow();

        assertThat(ratio.byRound()).hasSize(3);
        assertThat(ratio.isResult()).isTrue();
        assertThat(figure.dropped()).isEqualTo(2);
    }

    @Test
    void saysThatAllWereDisturbed() {
        List<FigureRound> rounds = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rounds.add(FigureRound.of(CELL, i, HopState.NEAR, 1.0, Map.of("native", 1.0, "bypass", 1.0)));
        }
        FigureData figure = new FigureData(MadeFigure.info("latency"), rounds);

        assertThat(figure.ratio(CELL, "bypass", "native").orElseThrow().standing())
                .isEqualTo(Standing.DISTURBED);
        assertThat(figure.row(CELL, "bypass").orElseThrow().isResult()).isFalse();
    }

    @Test
    void halvesWhatIsHalfOfARoundTrip() {
        FigureRow row = MadeFigure.sampled()
                .row(new FigureCell("reg_mr", 4096), "native")
                .orElseThrow();

        assertThat(row.value()).isCloseTo(1.0, within(1e-9));
        assertThat(row.times()).isNotNull();
        assertThat(row.times().max()).isCloseTo(1.5, within(1e-9));
        assertThat(row.times().count()).isEqualTo(15);
    }
}
