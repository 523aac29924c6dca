package io.hyperverbs.lab.run.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.launcher.progress.PlainProgress;
import io.hyperverbs.launcher.topology.Guest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchRunTest {
    private static final Environment ENVIRONMENT = new Environment(2, "cpu", "memory", "kernel", "jdk", "0", "commit");

    /** Runs of a cell whose times stay the same, until it is taken to be warm. */
    private static final int CHUNKS = 3;

    /** The same of the first cell of a verb. */
    private static final int NEW_CHUNKS = 26;

    private final List<MeasuredPath> order = new ArrayList<>();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private double otherCores;

    private static BenchPlan plan(int rounds, long budgetMillis) {
        return new BenchPlan(
                List.of(BenchVerb.WRITE, BenchVerb.SEND),
                List.of(8, 64),
                List.of(MeasuredPath.NATIVE, MeasuredPath.BYPASS, MeasuredPath.FORWARDED),
                rounds,
                100,
                10,
                50,
                budgetMillis);
    }

    /** Native takes 1 us, bypass 1.1, forwarded 22; each round is slower than the one before. */
    private long[] made(MeasuredPath path, Cell cell, int round) {
        order.add(path);
        double micros = switch (path) {
            case NATIVE -> 1.0;
            case BYPASS -> 1.1;
            case FORWARDED, FORWARDED_UNARY -> 22;
            case FLOOR -> 0.55;
        };
        long[] nanos = new long[10];
        Arrays.fill(nanos, Math.round(micros * cell.divisor() * (round + 1) * 1_000));
        return nanos;
    }

    private List<RoundGroup> run(BenchPlan plan, double... hops) throws Exception {
        int[] probe = {0};
        int perRound = plan.cells().size() * plan.paths().size();
        int[] calls = {-warmUps(plan)};
        return new BenchRun(
                        plan,
                        (path, cell, iterations, warmUp, millis) ->
                                made(path, cell, Math.max(0, calls[0]++) / perRound),
                        millis -> hops[Math.min(probe[0]++, hops.length - 1)],
                        () -> otherCores,
                        new PlainProgress(new PrintStream(said, true, StandardCharsets.UTF_8)))
                .run();
    }

    private static int warmUps(BenchPlan plan) {
        int verbs = plan.verbs().size();
        return (NEW_CHUNKS * verbs + CHUNKS * (plan.cells().size() - verbs))
                * plan.paths().size();
    }

    @Test
    void interleavesPathsAndRotatesThem() throws Exception {
        List<RoundGroup> groups = run(plan(2, 0), 50);

        // Warm-ups come first; then every cell has all paths, one after another.
        int first = warmUps(plan(2, 0));
        assertThat(order).hasSize(first + 2 * 4 * 3);
        assertThat(order.subList(first, first + 3))
                .containsExactly(MeasuredPath.NATIVE, MeasuredPath.BYPASS, MeasuredPath.FORWARDED);
        assertThat(order.subList(first + 12, first + 15))
                .containsExactly(MeasuredPath.BYPASS, MeasuredPath.FORWARDED, MeasuredPath.NATIVE);
        assertThat(groups).hasSize(8).allMatch(group -> group.nanos().size() == 3);
    }

    @Test
    void ratiosCompareTheSameRound() throws Exception {
        BenchPlan plan = plan(5, 0);

        BenchResult result = BenchResult.of(plan, run(plan, 50), ENVIRONMENT);

        assertThat(result.rows()).hasSize(12);
        Cell cell = new Cell(BenchVerb.SEND, 64);
        Row bypass = result.row(cell, MeasuredPath.BYPASS).orElseThrow();
        assertThat(bypass.times().count()).isEqualTo(50);
        assertThat(bypass.times().median()).isEqualTo(3.3);
        assertThat(bypass.rounds()).isEqualTo(5);
        assertThat(bypass.spread()).isPositive();
        Ratio overNative = result.ratio(cell, MeasuredPath.BYPASS).orElseThrow();
        assertThat(overNative.key()).isEqualTo("bypass_over_native");
        assertThat(overNative.value()).isEqualTo(1.1);
        // Rounds differ by a factor of five, the ratios within them not at all.
        assertThat(overNative.spread()).isLessThan(1e-9);
        assertThat(result.ratio(cell, MeasuredPath.FORWARDED).orElseThrow().value())
                .isEqualTo(20);
        assertThat(result.ratio(cell, MeasuredPath.FORWARDED_UNARY)).isEmpty();
    }

    @Test
    void keepsTheCommonHopStateAlone() throws Exception {
        BenchPlan plan = plan(3, 0);

        // Write is measured near, mixed, mixed; send near, far, near.
        BenchResult result = BenchResult.of(plan, run(plan, 50, 50, 52, 200, 210, 55, 50), ENVIRONMENT);

        Cell write = new Cell(BenchVerb.WRITE, 8);
        Cell send = new Cell(BenchVerb.SEND, 8);
        assertThat(result.row(write, MeasuredPath.NATIVE).orElseThrow().rounds())
                .isEqualTo(1);
        assertThat(result.row(write, MeasuredPath.NATIVE).orElseThrow().hop()).isEqualTo(HopState.NEAR);
        assertThat(result.row(send, MeasuredPath.NATIVE).orElseThrow().rounds()).isEqualTo(2);
        assertThat(result.droppedGroups()).isEqualTo(2 * 2 + 2);
    }

    @Test
    void mixedRoundsAreShownAsSuchIfThereAreNoOthers() throws Exception {
        BenchPlan plan = plan(1, 0);

        BenchResult result = BenchResult.of(plan, run(plan, 50, 200, 50), ENVIRONMENT);

        assertThat(result.rows()).isNotEmpty().allMatch(row -> row.hop() == HopState.MIXED);
    }

    @Test
    void addsRoundsForDroppedOnes() throws Exception {
        BenchPlan plan = plan(5, 60_000);

        List<RoundGroup> groups = run(plan, 50, 200, 50);

        for (Cell cell : plan.cells()) {
            assertThat(BenchResult.kept(groups, cell))
                    .as("%s", cell)
                    .hasSize(5)
                    .allMatch(group -> group.hop() == HopState.NEAR);
        }
        assertThat(groups.size()).isGreaterThan(5 * plan.cells().size());
    }

    @Test
    void addedRoundsAreATaskOfTheirOwn() throws Exception {
        // The first round of write is mixed, and all else far.
        List<RoundGroup> groups = run(plan(3, 60_000), 50, 200);

        assertThat(groups).hasSize(3 * 4 + 2);
        assertThat(said.toString(StandardCharsets.UTF_8).lines())
                .filteredOn(line -> !line.contains("warming up"))
                .startsWith("hv: measuring (36)")
                .containsSubsequence(
                        "hv: measuring 36/36: send 64 B bypass",
                        "hv: adding rounds (18)",
                        "hv: adding rounds 6/18: write 64 B forwarded")
                .last()
                .isEqualTo("hv: adding rounds 6/18: write 64 B forwarded");
    }

    @Test
    void roundsBesideOtherWorkAreNoResults() throws Exception {
        BenchPlan plan = plan(5, 0);
        otherCores = 0.5;

        BenchResult result = BenchResult.of(plan, run(plan, 50), ENVIRONMENT);

        assertThat(result.ratios()).isNotEmpty().allMatch(ratio -> ratio.standing() == Standing.DISTURBED);
    }

    @Test
    void roundsBesideOtherWorkAreDroppedIfThereAreOthers() throws Exception {
        BenchPlan plan = plan(5, 0);
        List<RoundGroup> groups = new ArrayList<>(run(plan, 50));
        otherCores = 0.5;
        groups.addAll(run(plan, 50));

        BenchResult result = BenchResult.of(plan, groups, ENVIRONMENT);

        assertThat(result.ratios()).isNotEmpty().allMatch(Ratio::isResult);
        assertThat(result.droppedGroups()).isEqualTo(groups.size() / 2);
    }

    @Test
    void addsRoundsForThoseBesideOtherWork() throws Exception {
        BenchPlan plan = plan(5, 60_000);
        otherCores = 0.5;

        assertThat(run(plan, 50)).hasSize(2 * 5 * plan.cells().size());
    }

    @Test
    void oneRoundIsNoResult() throws Exception {
        BenchPlan plan = plan(1, 0);

        BenchResult result = BenchResult.of(plan, run(plan, 50), ENVIRONMENT);

        assertThat(result.ratios()).isNotEmpty().allMatch(ratio -> ratio.standing() == Standing.FEW_ROUNDS);
    }

    @Test
    void addsNoneWhenTheTimeIsUp() throws Exception {
        BenchPlan plan = plan(5, 0);

        assertThat(run(plan, 50, 200, 50)).hasSize(5 * plan.cells().size());
    }

    @Test
    void atomicsHaveOneSize() {
        assertThat(BenchPlan.full().cells(BenchVerb.FETCH_ADD)).containsExactly(new Cell(BenchVerb.FETCH_ADD, 8));
        assertThat(BenchPlan.full().rounds()).isEqualTo(11);
        assertThat(BenchPlan.quick().rounds()).isGreaterThanOrEqualTo(BenchPlan.LEAST_ROUNDS);
    }

    @Test
    void topologyHasWhatThePathsNeed() {
        var all = BenchTopology.of(BenchPlan.full(), "bench-1");
        var one = BenchTopology.of(
                BenchPlan.full()
                        .with(List.of(BenchVerb.READ), List.of(64), List.of(MeasuredPath.FORWARDED), 11, 20_000),
                "bench-2");

        assertThat(all.guests()).extracting(g -> g.name()).containsExactly("na", "nb", "a", "b");
        assertThat(all.guests().getFirst().nativeDomain()).isTrue();
        assertThat(all.guests().get(2).app().orElseThrow().args())
                .containsExactly("b", "65536", "BYPASS", "FORWARDED", "FORWARDED_UNARY");
        assertThat(one.guests()).extracting(g -> g.name()).containsExactly("a", "b");
        assertThat(one.guests().get(1).app().orElseThrow().args()).containsExactly("a", "4096", "FORWARDED");
    }

    @Test
    void theFloorIsComparedWithTheBypassAndNeedsNoDomain() throws Exception {
        BenchPlan plan = BenchPlan.quick()
                .with(
                        List.of(BenchVerb.WRITE),
                        List.of(64),
                        List.of(MeasuredPath.NATIVE, MeasuredPath.BYPASS, MeasuredPath.FLOOR),
                        5,
                        100);
        BenchResult result = BenchResult.of(plan, run(plan, 50), ENVIRONMENT);
        Cell cell = new Cell(BenchVerb.WRITE, 64);

        assertThat(result.overFloor(cell).orElseThrow().value()).isBetween(1.99, 2.01);
        assertThat(result.overFloor(cell).orElseThrow().key()).isEqualTo("bypass_over_floor");
        assertThat(result.ratio(cell, MeasuredPath.BYPASS).orElseThrow().over()).isEqualTo(MeasuredPath.NATIVE);
        assertThat(BenchTopology.of(plan, "bench").guests())
                .extracting(Guest::name)
                .containsExactlyInAnyOrder("na", "nb", "a", "b");
    }
}
