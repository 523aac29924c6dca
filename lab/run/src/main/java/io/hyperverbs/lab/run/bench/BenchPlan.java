package io.hyperverbs.lab.run.bench;

import io.hyperverbs.lab.bench.BenchVerb;
import java.util.List;

/**
 * What to measure and how long.
 *
 * @param rounds of each cell and path
 * @param iterations timed operations in a round, at most
 * @param roundMillis after which a round ends too
 * @param probeMillis of each hop probe
 * @param budgetMillis no rounds are added to make up for dropped ones after that time
 */
public record BenchPlan(
        List<BenchVerb> verbs,
        List<Integer> sizesBytes,
        List<MeasuredPath> paths,
        int rounds,
        int iterations,
        int roundMillis,
        int probeMillis,
        long budgetMillis) {
    /** With fewer rounds in one hop state a median says little. */
    public static final int LEAST_ROUNDS = 5;

    private static final List<Integer> SIZES = List.of(8, 64, 4096, 65536);

    public BenchPlan {
        verbs = List.copyOf(verbs);
        sizesBytes = List.copyOf(sizesBytes);
        paths = List.copyOf(paths);
    }

    /** 11 rounds of everything: about three minutes. */
    public static BenchPlan full() {
        return new BenchPlan(
                List.of(BenchVerb.values()), SIZES, List.of(MeasuredPath.values()), 11, 20_000, 100, 50, 150_000);
    }

    /** 5 short rounds of everything: one minute, and up to one and a half where rounds are disturbed. */
    public static BenchPlan quick() {
        return new BenchPlan(
                List.of(BenchVerb.values()),
                SIZES,
                List.of(MeasuredPath.values()),
                LEAST_ROUNDS,
                5_000,
                18,
                50,
                14_000);
    }

    public BenchPlan with(
            List<BenchVerb> verbs, List<Integer> sizesBytes, List<MeasuredPath> paths, int rounds, int iterations) {
        return new BenchPlan(verbs, sizesBytes, paths, rounds, iterations, roundMillis, probeMillis, budgetMillis);
    }

    /** The paths that a machine is started for. */
    public List<MeasuredPath> machinePaths() {
        return paths.stream().filter(MeasuredPath::isOfMachine).toList();
    }

    /** The cells of a verb: an atomic has 8 bytes, whatever sizes are asked for. */
    public List<Cell> cells(BenchVerb verb) {
        if (verb == BenchVerb.FETCH_ADD) {
            return List.of(new Cell(verb, Long.BYTES));
        }
        return sizesBytes.stream().map(size -> new Cell(verb, size)).toList();
    }

    /** All cells, in the order of the rows. */
    public List<Cell> cells() {
        return verbs.stream().flatMap(verb -> cells(verb).stream()).toList();
    }

    public int largestBytes() {
        return Math.max(
                4096, sizesBytes.stream().mapToInt(Integer::intValue).max().orElse(Long.BYTES));
    }
}
