package io.hyperverbs.lab.run.calls;

import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredRound;
import java.util.Map;

/**
 * One round of a cell at all its sites.
 *
 * @param hopNanos mean of the probes before and after
 * @param otherCores cores that other work used meanwhile
 * @param nanos as {@link CallSites#run} returns them
 */
public record CallGroup(
        int round, CallCell cell, HopState hop, double hopNanos, double otherCores, Map<CallSite, long[]> nanos)
        implements MeasuredRound {
    /** Times of a step; a floor has one, which all are compared with. */
    public long[] step(CallSite site, int step) {
        long[] all = nanos.getOrDefault(site, new long[0]);
        int steps = site.isOfMachine() ? cell.sequence().steps().size() : 1;
        long[] some = new long[all.length / steps];
        for (int i = 0; i < some.length; i++) {
            some[i] = all[i * steps + step % steps];
        }
        return some;
    }
}
