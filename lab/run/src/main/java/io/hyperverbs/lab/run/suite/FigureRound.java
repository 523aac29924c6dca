package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredRound;
import io.hyperverbs.lab.run.bench.Percentiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One round of a cell over all series of a figure.
 *
 * @param otherCores cores that other work used meanwhile
 * @param values one of each series, in the figure's unit
 * @param nanos the samples behind them, already halved where half round trips are reported; empty where there are none
 */
public record FigureRound(
        FigureCell cell,
        int round,
        HopState hop,
        double otherCores,
        Map<String, Double> values,
        Map<String, long[]> nanos)
        implements MeasuredRound {

    /** A round of rates or the like, without samples. */
    public static FigureRound of(
            FigureCell cell, int round, HopState hop, double otherCores, Map<String, Double> values) {
        return new FigureRound(cell, round, hop, otherCores, values, Map.of());
    }

    /**
     * A round whose values are medians in microseconds.
     *
     * @param divisor 2 where half of what was timed is reported
     */
    static FigureRound ofNanos(
            FigureCell cell, int round, HopState hop, double otherCores, Map<String, long[]> timed, int divisor) {
        Map<String, long[]> nanos = new LinkedHashMap<>();
        Map<String, Double> medians = new LinkedHashMap<>();
        timed.forEach((series, samples) -> {
            medians.put(series, Percentiles.ofNanos(List.of(samples), divisor).median());
            long[] parts = samples.clone();
            for (int i = 0; i < parts.length; i++) {
                parts[i] /= divisor;
            }
            nanos.put(series, parts);
        });
        return new FigureRound(cell, round, hop, otherCores, medians, nanos);
    }

    /** The value of a series that was measured. */
    double value(String series) {
        Double value = values.get(series);
        if (value == null) {
            throw new IllegalStateException("no " + series + " in round " + round + " of " + cell);
        }
        return value;
    }

    /** Its samples; empty where there are none. */
    long[] samples(String series) {
        return nanos.getOrDefault(series, new long[0]);
    }
}
