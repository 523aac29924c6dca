package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.bench.Standing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cell in a series, over the rounds that count.
 *
 * @param value median over the rounds
 * @param spread half the distance of the quartiles of the rounds' values
 * @param byRound the rounds' values, in their order
 * @param times all samples of those rounds, in microseconds; null where there are none
 * @param standing whether the value is a result
 */
public record FigureRow(
        FigureCell cell,
        String series,
        double value,
        double spread,
        List<Double> byRound,
        @Nullable Percentiles times,
        HopState hop,
        Standing standing) {
    boolean isResult() {
        return standing == Standing.RESULT;
    }
}
