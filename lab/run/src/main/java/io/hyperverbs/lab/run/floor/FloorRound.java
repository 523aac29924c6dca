package io.hyperverbs.lab.run.floor;

import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredRound;
import java.util.Map;

/**
 * One round of all floors.
 *
 * @param hopNanos mean of the probes before and after
 * @param otherCores cores that other work used meanwhile
 * @param nanos samples of each floor
 */
public record FloorRound(HopState hop, double hopNanos, double otherCores, Map<FloorCell, long[]> nanos)
        implements MeasuredRound {}
