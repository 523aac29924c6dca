package io.hyperverbs.lab.run.bench;

import java.util.Map;

/**
 * One round of a cell over all paths, in one hop state.
 *
 * @param hopNanos mean of the probes before and after
 * @param otherCores cores that other work used meanwhile
 * @param beganEpochMillis when its verb's cells began
 * @param endedEpochMillis when they had all run
 * @param nanos samples of each path
 */
public record RoundGroup(
        int round,
        Cell cell,
        HopState hop,
        double hopNanos,
        double otherCores,
        long beganEpochMillis,
        long endedEpochMillis,
        Map<MeasuredPath, long[]> nanos) {
    /** Other work takes so much of the cores now and then on any computer. */
    private static final double MOST_OTHER_CORES = 0.3;

    /** Whether other work used the cores that the programs and the engine need. */
    public boolean isCrowded() {
        return otherCores > MOST_OTHER_CORES;
    }

    /** Whether nothing is known to have disturbed it. */
    public boolean isGood() {
        return !isCrowded() && hop != HopState.MIXED && hop != HopState.SHARED;
    }
}
