package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import org.jspecify.annotations.Nullable;

/**
 * A size on a path. Rates are those of both directions together if both sides send.
 *
 * @param messages that were timed on the active side
 * @param peakPerSecond messages a second in the best interval; 0 if there is no peak
 * @param perSecond messages a second from the first post to the last completion
 * @param floorPerSecond messages a second of the floor beside it; 0 if it has none
 * @param dropped messages, warm-up included, that found no receive
 * @param hop between the probes before and after
 * @param otherCores cores that other work used meanwhile
 */
public record BandwidthRow(
        MeasuredPath path,
        int sizeBytes,
        long messages,
        double peakPerSecond,
        double perSecond,
        double floorPerSecond,
        long dropped,
        HopState hop,
        double otherCores)
        implements PerfRow {
    private static final double MIB = 1 << 20;
    private static final double GIGABIT = 1e9;

    /** How many times as long as the floor's a message takes; null without a floor. */
    @Nullable
    Double overFloor() {
        return floorPerSecond == 0 ? null : (Double) (floorPerSecond / perSecond);
    }

    /** MiB or Gb a second for so many messages a second. */
    double bandwidth(double messagesPerSecond, boolean gbits) {
        double bytes = messagesPerSecond * sizeBytes;
        return gbits ? bytes * Byte.SIZE / GIGABIT : bytes / MIB;
    }
}
