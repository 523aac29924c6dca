package io.hyperverbs.lab.run.floor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.Rounds;
import io.hyperverbs.lab.run.bench.Standing;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.progress.QuietProgress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rounds and medians, with times made up. */
class FloorRunTest {
    /** Chunks of a floor whose times stay the same, until it is taken to be warm; of its first size, and of others. */
    private static final int NEW_CHUNKS = 26;

    private static final int CHUNKS = 3;
    private static final FloorCell WRITE = new FloorCell(Floor.WRITE, 64);
    private static final FloorCell WAKE = new FloorCell(Floor.FUTEX, 0);
    private static final Environment ENVIRONMENT = new Environment(2, "cpu", "1 kB", "Linux", "JDK", "0", "unknown");

    private final List<FloorCell> order = new ArrayList<>();
    private double[] hops = {50};
    private int probes;
    private double other;

    private FloorResult run(int rounds) throws Exception {
        FloorPlan plan = FloorPlan.quick().with(List.of(64), rounds);
        FloorRun run = new FloorRun(
                plan,
                (cell, iterations, warmUp, millis) -> {
                    order.add(cell);
                    // Those of the warm-up, which do not count, take as long as the first ones that do.
                    int after = order.size() - 1 - NEW_CHUNKS * plan.cells().size();
                    int round = Math.max(0, after) / plan.cells().size() + 1;
                    return new long[] {round * 1000L, round * 1000L + 200};
                },
                millis -> hops[probes++ % hops.length],
                () -> other,
                new QuietProgress());
        return new FloorResult(plan, run.run(), ENVIRONMENT);
    }

    @Test
    void eachRoundHasAllFloors() throws Exception {
        FloorResult result = run(3);

        List<FloorCell> rounds = order.subList(NEW_CHUNKS * 9, order.size());
        assertThat(rounds).hasSize(3 * 9);
        assertThat(rounds.subList(0, 9)).startsWith(WRITE).contains(WAKE).isEqualTo(rounds.subList(18, 27));
        assertThat(result.median(WRITE)).isEqualTo(2.1);
    }

    @Test
    void theFirstSizeOfAFloorIsWarmedUpAsNewCode() throws Exception {
        FloorPlan plan = FloorPlan.quick().with(List.of(64, 4096), 1);
        List<String> asked = new ArrayList<>();
        new FloorRun(
                        plan,
                        (cell, _, _, _) -> {
                            asked.add(cell.floor() + " " + cell.bytes());
                            return new long[] {1000};
                        },
                        _ -> 50,
                        () -> other,
                        new QuietProgress())
                .run();

        // One of each is the round's.
        assertThat(asked).filteredOn("WRITE 64"::equals).hasSize(NEW_CHUNKS + 1);
        assertThat(asked).filteredOn("WRITE 4096"::equals).hasSize(CHUNKS + 1);
        assertThat(asked).filteredOn("CALL 0"::equals).hasSize(NEW_CHUNKS + 1);
    }

    @Test
    void roundsOfTheStateThatMostHaveCount() throws Exception {
        // Probes around rounds 1 to 4: near, near, far (mixed), far, far.
        hops = new double[] {50, 50, 200, 200, 200};
        FloorResult result = run(4);

        assertThat(result.median(WRITE)).isEqualTo((3.1 + 4.1) / 2);
        assertThat(result.standing(WRITE)).isEqualTo(Standing.FEW_ROUNDS);
        assertThat(result.sentences())
                .last()
                .asString()
                .contains("hop far 200 ns")
                .contains("2 of 4 rounds");
    }

    @Test
    void besideOtherWorkNothingIsAResult() throws Exception {
        other = 1;
        FloorResult result = run(5);

        assertThat(result.standing(WAKE)).isEqualTo(Standing.DISTURBED);
        assertThat(result.sentences())
                .last()
                .asString()
                .endsWith("5 of 5 rounds were like each other, and other work disturbed them.");
    }

    @Test
    void theTableHasARowForEachFloorAndSize() throws Exception {
        String csv = run(3).table().render(Format.CSV);

        assertThat(csv.lines())
                .hasSize(10)
                .contains("one-sided ring,64,2.1,3.2,1.0,,,unsteady,\"write, read\"")
                .anyMatch(line -> line.startsWith("relay stream,64,") && line.contains(",476190476,28.38"))
                .contains("futex wake,,2.1,3.2,1.0,,,unsteady,awaited write")
                .contains("grpc call,,2.1,3.2,1.0,,,unsteady,a privileged verb");
    }

    @Test
    void floorsRunBesideAMachine() throws Exception {
        List<String> asked = new ArrayList<>();
        Rounds rounds = new RoundsWithFloor(
                (path, cell, iterations, warmUp, millis) -> {
                    asked.add(path.word());
                    return new long[] {1};
                },
                (cell, iterations, warmUp, millis) -> {
                    asked.add(cell.floor() + " " + cell.bytes() + " " + iterations + " " + warmUp + " " + millis);
                    return new long[] {2};
                });

        assertThat(rounds.run(MeasuredPath.BYPASS, new Cell(BenchVerb.READ, 8), 5, 4, 3))
                .containsExactly(1);
        assertThat(rounds.run(MeasuredPath.FLOOR, new Cell(BenchVerb.READ, 8), 5, 4, 3))
                .containsExactly(2);
        assertThat(rounds.run(MeasuredPath.FLOOR, new Cell(BenchVerb.SEND, 64), 5, 4, 3))
                .containsExactly(2);
        assertThat(asked).containsExactly("bypass", "WRITE 8 5 4 3", "SEND 64 5 4 3");
    }
}
