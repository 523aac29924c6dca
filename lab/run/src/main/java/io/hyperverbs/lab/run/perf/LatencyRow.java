package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.Percentiles;

/**
 * A size on a path.
 *
 * @param times of all its messages, halved where they are round trips
 * @param hop between the probes before and after
 * @param otherCores cores that other work used meanwhile
 */
public record LatencyRow(MeasuredPath path, int sizeBytes, Percentiles times, HopState hop, double otherCores)
        implements PerfRow {}
