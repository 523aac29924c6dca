package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.bench.perf.TimeCounts;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.MeasuredRound;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A size on a path in a pattern.
 *
 * @param pairs in the pattern's order
 * @param hop between the probes before and after
 * @param otherCores cores that other work used meanwhile
 */
public record PatternRow(MeasuredPath path, int sizeBytes, List<PairRate> pairs, HopState hop, double otherCores)
        implements MeasuredRound {
    /**
     * What one guest sent to another.
     *
     * @param name both, as in tables
     * @param messages that were complete in its time
     * @param times of each of them, from post to completion; of a row of latencies
     */
    public record PairRate(
            String name,
            long messages,
            double perSecond,
            @Nullable TimeCounts times) {}

    public PatternRow {
        pairs = List.copyOf(pairs);
    }

    /** All pairs together, which are timed at the same time. */
    PairRate all() {
        long messages = 0;
        double perSecond = 0;
        TimeCounts times = null;
        for (PairRate pair : pairs) {
            messages += pair.messages;
            perSecond += pair.perSecond;
            if (pair.times != null) {
                times = times == null ? new TimeCounts() : times;
                times.add(pair.times);
            }
        }
        return new PairRate("all", messages, perSecond, times);
    }
}
