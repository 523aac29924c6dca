package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.bench.Standing;
import java.util.List;

/**
 * A series over another, each round by itself.
 *
 * @param value median over the rounds
 * @param spread half the distance of the quartiles
 * @param byRound the rounds' ratios, in their order
 * @param standing whether it is a result
 */
public record FigureRatio(
        FigureCell cell,
        String series,
        String over,
        double value,
        double spread,
        List<Double> byRound,
        Standing standing) {
    static FigureRatio of(FigureCell cell, String series, String over, List<Double> byRound, boolean isGood) {
        Percentiles all = Percentiles.of(byRound);
        Standing standing = Standing.of(isGood, byRound.size(), all.median(), all.spread());
        return new FigureRatio(cell, series, over, all.median(), all.spread(), List.copyOf(byRound), standing);
    }

    public boolean isResult() {
        return standing == Standing.RESULT;
    }
}
