package io.hyperverbs.lab.run.bench;

import io.hyperverbs.launcher.failure.HvException;
import java.util.List;

/**
 * Runs something until it is no faster than before: what a program does for the first time is interpreted, and compiled
 * twice, in up to three JVMs.
 */
public final class WarmUp {
    private static final int MOST_CHUNKS = 50;

    /** Chunks in a row that have to be no faster. */
    private static final int CALM_CHUNKS = 2;

    /** A median that is less than this part of the best one so far is faster, and no chance. */
    private static final double FASTER = 0.95;

    private WarmUp() {}

    /** A part of it. */
    @FunctionalInterface
    public interface Chunk {
        /** Runs for a moment that is long beside what is timed; returns the times. */
        long[] run() throws HvException, InterruptedException;
    }

    /** Runs chunk after chunk, {@value #MOST_CHUNKS} at most. */
    public static void untilNoFaster(Chunk chunk) throws HvException, InterruptedException {
        double best = Double.MAX_VALUE;
        int calm = 0;
        for (int i = 0; i < MOST_CHUNKS && calm < CALM_CHUNKS; i++) {
            double median = Percentiles.ofNanos(List.of(chunk.run()), 1).median();
            calm = median < FASTER * best ? 0 : calm + 1;
            best = Math.min(best, median);
        }
    }
}
