package io.hyperverbs.lab.run.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.run.bench.BenchPlan;
import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.RoundGroup;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchAnswerTest {
    private static final Environment ENVIRONMENT = new Environment(2, "cpu", "memory", "kernel", "jdk", "0", "commit");

    private static String answer(int rounds, double otherCores, Map<MeasuredPath, Long> nanos) {
        List<MeasuredPath> paths = nanos.keySet().stream().sorted().toList();
        BenchPlan plan = BenchPlan.quick().with(List.of(BenchVerb.WRITE), List.of(8, 64), paths, rounds, 100);
        List<RoundGroup> groups = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            for (Cell cell : plan.cells()) {
                Map<MeasuredPath, long[]> samples = new EnumMap<>(MeasuredPath.class);
                nanos.forEach((path, one) -> samples.put(path, new long[] {one * cell.sizeBytes() / 64}));
                groups.add(new RoundGroup(round, cell, HopState.NEAR, 50, otherCores, 0, 0, samples));
            }
        }
        return BenchAnswer.of(BenchResult.of(plan, groups, ENVIRONMENT));
    }

    @Test
    void saysWhatA64ByteWriteTakesAndWhatTheBypassSaves() {
        assertThat(answer(
                        3,
                        0,
                        Map.of(
                                MeasuredPath.NATIVE, 550L,
                                MeasuredPath.BYPASS, 528L,
                                MeasuredPath.FORWARDED, 74_448L)))
                .isEqualTo("A 64-byte write takes 0.55 μs native, 0.53 μs bypassing the hypervisor, 74.4 μs forwarded:"
                        + " bypass costs nothing (0.96 ± 0.00) and saves 141 x.");
    }

    @Test
    void saysWhatTheBypassCosts() {
        assertThat(answer(3, 0, Map.of(MeasuredPath.NATIVE, 1_000L, MeasuredPath.BYPASS, 1_200L)))
                .isEqualTo("A 64-byte write takes 1.00 μs native, 1.20 μs bypassing the hypervisor: bypass costs 20 %"
                        + " (1.20 ± 0.00).");
    }

    @Test
    void saysWhatTheBypassSavesAlone() {
        assertThat(answer(3, 0, Map.of(MeasuredPath.BYPASS, 1_000L, MeasuredPath.FORWARDED, 50_000L)))
                .endsWith(": bypass saves 50 x.");
    }

    @Test
    void saysThatNothingIsAResult() {
        assertThat(answer(2, 0.04, Map.of(MeasuredPath.NATIVE, 550L, MeasuredPath.BYPASS, 528L)))
                .isEqualTo("No ratio of this run is a result: too few rounds; other work used 0.0 cores on average. Run"
                        + " it again when the computer has nothing else to do, with more --rounds.");
        assertThat(answer(5, 1.5, Map.of(MeasuredPath.NATIVE, 550L, MeasuredPath.BYPASS, 528L)))
                .isEqualTo("No ratio of this run is a result: disturbed; other work used 1.5 cores on average. Run it"
                        + " again when the computer has nothing else to do.");
    }

    @Test
    void onePathIsNoComparison() {
        assertThat(answer(5, 0, Map.of(MeasuredPath.NATIVE, 550L))).startsWith("Nothing was compared");
    }
}
