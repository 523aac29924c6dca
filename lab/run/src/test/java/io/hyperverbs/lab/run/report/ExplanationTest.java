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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    private static final Environment ENVIRONMENT = new Environment(2, "cpu", "memory", "kernel", "jdk", "0", "commit");
    private static final BenchPlan PLAN = BenchPlan.quick()
            .with(List.of(BenchVerb.WRITE), List.of(8, 64), List.of(MeasuredPath.NATIVE, MeasuredPath.BYPASS), 5, 100);

    private final List<RoundGroup> groups = new ArrayList<>();

    private void round(HopState hop, double otherCores, long bypassNanos) {
        int round = groups.size() / 2;
        for (Cell cell : PLAN.cells()) {
            groups.add(new RoundGroup(
                    round,
                    cell,
                    hop,
                    50,
                    otherCores,
                    0,
                    0,
                    Map.of(
                            MeasuredPath.NATIVE, new long[] {1_000},
                            MeasuredPath.BYPASS, new long[] {bypassNanos})));
        }
    }

    private List<String> explained() {
        return Explanation.of(BenchResult.of(PLAN, groups, ENVIRONMENT));
    }

    @Test
    void saysOnceForEachRoundWhatDisturbedIt() {
        round(HopState.NEAR, 0, 1_000);
        round(HopState.NEAR, 0.84, 9_000);
        round(HopState.MIXED, 0, 1_000);
        round(HopState.FAR, 0, 1_000);
        round(HopState.SHARED, 0, 1_000);
        round(HopState.NEAR, 0, 1_000);

        assertThat(explained())
                .containsExactly(
                        "Round 2, write: other work used 0.8 cores.",
                        "Round 3, write: the host moved our cores meanwhile.",
                        "Round 4, write: the cores were far, in most rounds near.",
                        "Round 5, write: other work kept both ends of the hop probe on one core.");
    }

    @Test
    void givesTheRoundsOfWhatIsUnsteady() {
        round(HopState.NEAR, 0, 1_000);
        round(HopState.NEAR, 0, 3_000);
        round(HopState.NEAR, 0, 1_100);
        round(HopState.NEAR, 0, 2_500);

        assertThat(explained())
                .containsExactly(
                        "write 8 B, bypass/native by round: 1.00 3.00 1.10 2.50.",
                        "write 64 B, bypass/native by round: 1.00 3.00 1.10 2.50.");
    }

    @Test
    void saysThatNothingHappened() {
        round(HopState.NEAR, 0.1, 1_000);
        round(HopState.NEAR, 0, 1_000);
        round(HopState.NEAR, 0, 1_000);

        assertThat(explained()).containsExactly("Nothing disturbed the rounds.");
    }
}
