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
        Map<MeasuredPath, long[]> nanos)
        implements MeasuredRound {}
