package io.hyperverbs.lab.run.suite.upper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.suite.FigureCell;
import io.hyperverbs.lab.run.suite.FigureRound;
import io.hyperverbs.lab.run.suite.SuiteTerms;
import io.hyperverbs.launcher.progress.QuietProgress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobRoundsTest {
    private static final double NEAR = 60;
    private static final double FAR = 200;
    private static final FigureCell CELL = new FigureCell("MPI", 8);

    private final List<String> jobs = new ArrayList<>();

    private JobRounds.Part part(String name, FigureCell cell) {
        return new JobRounds.Part(name, path -> {
            jobs.add(name + " " + path);
            return List.of(new JobRounds.Value(cell, path, jobs.size()));
        });
    }

    /** With these probes of the hop, and these cores after each question. */
    private static JobRounds rounds(List<Double> hops, List<Double> cores) {
        Deque<Double> nextHops = new ArrayDeque<>(hops);
        Deque<Double> nextCores = new ArrayDeque<>(cores);
        return new JobRounds(
                List.of("native", "bypass"),
                _ -> nextHops.size() > 1 ? nextHops.pop() : nextHops.getFirst(),
                () -> nextCores.size() > 1 ? nextCores.pop() : nextCores.getFirst());
    }

    @Test
    void pathsTakeTurnsInEachPartAndOneBeginsInItsTurn() throws Exception {
        List<JobRounds.Part> parts = List.of(part("CG", new FigureCell("CG", 0)), part("FT", new FigureCell("FT", 0)));

        List<FigureRound> found = rounds(List.of(NEAR), List.of(0.0)).run(2, parts, new QuietProgress());

        assertThat(jobs)
                .containsExactly(
                        "CG native",
                        "CG bypass",
                        "FT native",
                        "FT bypass",
                        "CG bypass",
                        "CG native",
                        "FT bypass",
                        "FT native");
        assertThat(found).hasSize(4);
        assertThat(found.get(2).round()).isEqualTo(1);
        assertThat(found.get(2).values()).isEqualTo(Map.of("bypass", 5.0, "native", 6.0));
        assertThat(found).allMatch(FigureRound::isGood);
    }

    @Test
    void warmUpCountsForNothing() throws Exception {
        List<JobRounds.Part> parts = List.of(part("MPI", CELL));

        List<FigureRound> found = rounds(List.of(NEAR), List.of(0.0))
                .warmUp(parts, new QuietProgress())
                .run(1, parts, new QuietProgress());

        assertThat(found).hasSize(1);
        assertThat(found.getFirst().values()).isEqualTo(Map.of("native", 3.0, "bypass", 4.0));
    }

    @Test
    void jobsBetweenWhichTheHostMovedCoresAreNotCompared() throws Exception {
        List<JobRounds.Part> parts = List.of(part("MPI", CELL));

        List<FigureRound> found =
                rounds(List.of(NEAR, NEAR, FAR, FAR), List.of(0.0)).run(2, parts, new QuietProgress());

        assertThat(found.get(0).hop()).isEqualTo(HopState.MIXED);
        assertThat(found.get(1).hop()).isEqualTo(HopState.FAR);
    }

    @Test
    void otherWorkBesideOneJobIsOfTheWholeRound() throws Exception {
        List<JobRounds.Part> parts = List.of(part("MPI", CELL));

        // A question before each job, whose answer is of what was before, and one after it.
        List<FigureRound> found =
                rounds(List.of(NEAR), List.of(2.0, 0.1, 2.0, 0.9, 2.0, 0.0)).run(2, parts, new QuietProgress());

        assertThat(found.get(0).otherCores()).isEqualTo(0.9);
        assertThat(found.get(1).otherCores()).isEqualTo(0.0);
    }

    @Test
    void jobsThatTakeLongHaveFewRounds() {
        assertThat(JobRounds.few(SuiteTerms.of(true))).isEqualTo(3);
        assertThat(JobRounds.few(SuiteTerms.of(false))).isEqualTo(5);
        assertThat(JobRounds.few(new SuiteTerms(false, 2))).isEqualTo(2);
    }
}
