package io.hyperverbs.lab.run.floor;

import io.hyperverbs.lab.run.bench.HopState;
import java.util.Map;

/**
 * One round of all floors.
 *
 * @param hopNanos mean of the probes before and after
 * @param otherCores cores that other work used meanwhile
 * @param nanos samples of each floor
 */
public record FloorRound(HopState hop, double hopNanos, double otherCores, Map<FloorCell, long[]> nanos) {
    /** As in rounds of verbs. */
    private static final double MOST_OTHER_CORES = 0.3;

    /** Whether nothing is known to have disturbed it. */
    public boolean isGood() {
        return otherCores <= MOST_OTHER_CORES && hop != HopState.MIXED && hop != HopState.SHARED;
    }
}
