package io.hyperverbs.lab.run.ip;

import io.hyperverbs.lab.run.bench.WarmUp;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Sends what is measured until it is no faster than before. The packets of guests are carried by code of their own, which
 * compilers work on meanwhile; natively a JVM that runs already does it. One thread.
 */
public final class IpWarmUp {
    private static final double NANOS = 1e9;
    private static final double NANOS_IN_MICROS = 1e3;

    private IpWarmUp() {}

    /** All cells between each pair. */
    public static void run(List<IpCell> cells, List<IpPair> pairs, Progress progress)
            throws HvException, InterruptedException {
        progress.begin("warming up", (long) cells.size() * pairs.size());
        for (IpPair pair : pairs) {
            Set<IpCell.Kind> seen = EnumSet.noneOf(IpCell.Kind.class);
            for (IpCell cell : cells) {
                WarmUp.run(seen.add(cell.kind()) ? WarmUp.Work.NEW : WarmUp.Work.REPEATED, () -> chunk(cell, pair));
                progress.step(cell.kind().word() + " " + cell.sizeBytes() + ", " + pair.word());
            }
        }
    }

    /** A time that is shorter the faster it is. */
    private static long[] chunk(IpCell cell, IpPair pair) throws HvException {
        try {
            double value = cell.measure(pair);
            double nanos = switch (cell.kind()) {
                case HALF_ROUND_TRIP -> value * NANOS_IN_MICROS;
                case STREAM -> NANOS / Math.max(value, Double.MIN_NORMAL);
            };
            return new long[] {(long) nanos};
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot measure sockets: " + e.getMessage(), "");
        }
    }
}
