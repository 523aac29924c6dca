package io.hyperverbs.lab.run.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What comes out of a run.
 *
 * @param groups as measured
 * @param rows in the order of cells, then of paths
 * @param droppedGroups rounds of cells that were not used: disturbed, or in another hop state
 */
public record BenchResult(
        List<RoundGroup> groups, List<Row> rows, List<Ratio> ratios, int droppedGroups, Environment environment) {

    /** Computes rows and ratios. */
    public static BenchResult of(BenchPlan plan, List<RoundGroup> groups, Environment environment) {
        List<Row> rows = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        int used = 0;
        for (Cell cell : plan.cells()) {
            List<RoundGroup> kept = kept(groups, cell);
            used += kept.size();
            if (kept.isEmpty()) {
                continue;
            }
            for (MeasuredPath path : plan.paths()) {
                rows.add(row(cell, path, kept));
            }
            ratios.addAll(ratios(groups, cell));
        }
        return new BenchResult(List.copyOf(groups), rows, ratios, groups.size() - used, environment);
    }

    /** Those of a cell that count. */
    static List<RoundGroup> kept(List<RoundGroup> groups, Cell cell) {
        return MeasuredRound.kept(
                groups.stream().filter(group -> group.cell().equals(cell)).toList());
    }

    /** The ratios of a cell, over the rounds of it that are kept; none before the first round. */
    static List<Ratio> ratios(List<RoundGroup> groups, Cell cell) {
        List<RoundGroup> kept = kept(groups, cell);
        if (kept.isEmpty()) {
            return List.of();
        }
        return Stream.of(
                        ratio(cell, MeasuredPath.BYPASS, MeasuredPath.NATIVE, kept),
                        ratio(cell, MeasuredPath.BYPASS, MeasuredPath.FLOOR, kept),
                        ratio(cell, MeasuredPath.FORWARDED, MeasuredPath.BYPASS, kept),
                        ratio(cell, MeasuredPath.FORWARDED_UNARY, MeasuredPath.BYPASS, kept))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Row row(Cell cell, MeasuredPath path, List<RoundGroup> kept) {
        List<long[]> samples = kept.stream().map(group -> samples(group, path)).toList();
        List<Double> medians = kept.stream().map(group -> median(group, path)).toList();
        return new Row(
                cell,
                path,
                Percentiles.ofNanos(samples, cell.divisor()),
                kept.size(),
                Percentiles.of(medians).spread(),
                kept.getFirst().hop());
    }

    private static Optional<Ratio> ratio(Cell cell, MeasuredPath path, MeasuredPath over, List<RoundGroup> kept) {
        boolean measured = kept.stream()
                .allMatch(group ->
                        group.nanos().containsKey(path) && group.nanos().containsKey(over));
        if (!measured) {
            return Optional.empty();
        }
        Percentiles ratios = Percentiles.of(byRound(kept, path, over));
        Standing standing = Standing.of(kept.getFirst().isGood(), kept.size(), ratios.median(), ratios.spread());
        return Optional.of(new Ratio(cell, path, over, ratios.median(), ratios.spread(), kept.size(), standing));
    }

    private static List<Double> byRound(List<RoundGroup> kept, MeasuredPath path, MeasuredPath over) {
        return kept.stream()
                .map(group -> median(group, path) / median(group, over))
                .toList();
    }

    /** A ratio in each round that counts for it. */
    public List<Double> byRound(Ratio ratio) {
        return byRound(kept(groups, ratio.cell()), ratio.path(), ratio.over());
    }

    /** The hop state of the rounds of a cell that count. */
    public HopState hop(Cell cell) {
        return kept(groups, cell).getFirst().hop();
    }

    private static double median(RoundGroup group, MeasuredPath path) {
        return Percentiles.ofNanos(List.of(samples(group, path)), group.cell().divisor())
                .median();
    }

    private static long[] samples(RoundGroup group, MeasuredPath path) {
        long[] samples = group.nanos().get(path);
        if (samples == null) {
            throw new IllegalStateException("no samples of " + path + " in round " + group.round());
        }
        return samples;
    }

    public Optional<Row> row(Cell cell, MeasuredPath path) {
        return rows.stream()
                .filter(row -> row.cell().equals(cell) && row.path() == path)
                .findFirst();
    }

    /** How a path compares to the one that it is there to be compared with. */
    public Optional<Ratio> ratio(Cell cell, MeasuredPath path) {
        return ratios.stream()
                .filter(ratio ->
                        ratio.cell().equals(cell) && ratio.path() == path && ratio.over() != MeasuredPath.FLOOR)
                .findFirst();
    }

    /** How the bypass compares to what the computer takes without an HCA. */
    public Optional<Ratio> overFloor(Cell cell) {
        return ratios.stream()
                .filter(ratio -> ratio.cell().equals(cell) && ratio.over() == MeasuredPath.FLOOR)
                .findFirst();
    }

    /** The cells that have rows, in order. */
    public List<Cell> cells() {
        return rows.stream().map(Row::cell).distinct().toList();
    }
}
