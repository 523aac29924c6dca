package io.hyperverbs.lab.run.calls;

import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.bench.Standing;
import org.jspecify.annotations.Nullable;

/**
 * A step at a size and a site, over all samples of the rounds kept.
 *
 * @param step name of the verb
 * @param spread of the rounds' medians, in microseconds
 * @param overFloor null for the floor itself
 * @param overNative null where there is nothing native, and for native itself and the floor
 */
public record CallRow(
        String step,
        CallCell cell,
        CallSite site,
        Percentiles times,
        int rounds,
        double spread,
        @Nullable Figure overFloor,
        @Nullable Figure overNative) {

    /** How much worse than usual one of a hundred is. */
    double tail() {
        return times.percentile(99) / times.median();
    }

    /** How many a second, one after another: over all samples. */
    double perSecond() {
        return 1e6 / times.mean();
    }

    /**
     * A ratio of medians of the same round: its median over the rounds.
     *
     * @param spread over the rounds
     * @param standing whether it is a result
     */
    public record Figure(double value, double spread, Standing standing) {
        boolean isResult() {
            return standing == Standing.RESULT;
        }
    }
}
