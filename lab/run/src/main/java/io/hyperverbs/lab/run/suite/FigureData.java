package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.MeasuredRound;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.bench.Standing;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A figure that was measured: rows and ratios, over the rounds of one hop state that nothing disturbed. Immutable. */
public final class FigureData {
    private final FigureInfo info;
    private final List<FigureRound> rounds;

    /** @param rounds at least one */
    public FigureData(FigureInfo info, List<FigureRound> rounds) {
        this.info = info;
        this.rounds = List.copyOf(rounds);
    }

    public FigureInfo info() {
        return info;
    }

    /** In the order in which they were measured first. */
    public List<FigureCell> cells() {
        return rounds.stream().map(FigureRound::cell).distinct().toList();
    }

    /** What the cells are about, such as verbs. */
    public List<String> whats() {
        return cells().stream().map(FigureCell::what).distinct().toList();
    }

    /** All series, the baseline first. */
    public List<String> series() {
        return rounds.stream()
                .flatMap(round -> round.values().keySet().stream())
                .distinct()
                .sorted(Comparator.comparing(series -> !series.equals(info.baseline())))
                .toList();
    }

    private List<FigureRound> kept(FigureCell cell) {
        return MeasuredRound.kept(
                rounds.stream().filter(round -> round.cell().equals(cell)).toList());
    }

    /** Rows of all cells and series. */
    public List<FigureRow> rows() {
        return cells().stream()
                .flatMap(cell -> series().stream().flatMap(series -> row(cell, series).stream()))
                .toList();
    }

    /** A cell in a series, if it was measured. */
    public Optional<FigureRow> row(FigureCell cell, String series) {
        List<FigureRound> kept = kept(cell).stream()
                .filter(round -> round.values().containsKey(series))
                .toList();
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        List<Double> byRound = kept.stream().map(round -> round.value(series)).toList();
        Percentiles values = Percentiles.of(byRound);
        List<long[]> samples = kept.stream()
                .filter(round -> round.nanos().containsKey(series))
                .map(round -> round.samples(series))
                .toList();
        return Optional.of(new FigureRow(
                cell,
                series,
                values.median(),
                values.spread(),
                byRound,
                samples.isEmpty() ? null : Percentiles.ofNanos(samples, 1),
                kept.getFirst().hop(),
                Standing.of(kept.getFirst().isGood(), kept.size(), values.median(), values.spread())));
    }

    /** The samples of a row, round after round. */
    List<long[]> samples(FigureRow row) {
        return kept(row.cell()).stream()
                .filter(round -> round.nanos().containsKey(row.series()))
                .map(round -> round.samples(row.series()))
                .toList();
    }

    /** Ratios of all cells and series to the baseline. */
    public List<FigureRatio> ratios() {
        return cells().stream()
                .flatMap(cell -> series().stream().flatMap(series -> ratio(cell, series, info.baseline()).stream()))
                .toList();
    }

    /** A series over another by the values of the same round, if both were measured. */
    public Optional<FigureRatio> ratio(FigureCell cell, String series, String over) {
        if (series.equals(over)) {
            return Optional.empty();
        }
        List<FigureRound> both = kept(cell).stream()
                .filter(round ->
                        round.values().containsKey(series) && round.values().containsKey(over))
                .toList();
        if (both.isEmpty()) {
            return Optional.empty();
        }
        List<Double> byRound = both.stream()
                .map(round -> round.value(series) / round.value(over))
                .toList();
        return Optional.of(
                FigureRatio.of(cell, series, over, byRound, both.getFirst().isGood()));
    }

    /** Cores that other work used in the rounds, on average. */
    public double otherCores() {
        return rounds.stream().mapToDouble(FigureRound::otherCores).average().orElse(0);
    }

    /** Rounds of cells that do not count. */
    public int dropped() {
        return rounds.size()
                - cells().stream().mapToInt(cell -> kept(cell).size()).sum();
    }

    /** Rounds of cells that were measured. */
    public int measured() {
        return rounds.size();
    }
}
