package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.MeasuredRound;

/** A row of perftest, and what may have disturbed it. */
public sealed interface PerfRow extends MeasuredRound permits LatencyRow, BandwidthRow {
    MeasuredPath path();

    int sizeBytes();
}
