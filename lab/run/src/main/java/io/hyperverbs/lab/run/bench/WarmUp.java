package io.hyperverbs.lab.run.bench;

import io.hyperverbs.launcher.failure.HvException;
import java.util.List;

/**
 * Runs a cell on a path until it is no faster than before: what a program does for the first time is interpreted, and
 * compiled twice, in three JVMs.
 */
final class WarmUp {
    private static final int CHUNK_MILLIS = 20;
    private static final int MOST_CHUNKS = 50;

    /** Chunks in a row that have to be no faster. */
    private static final int CALM_CHUNKS = 2;

    /** A median that is less than this part of the best one so far is faster, and no chance. */
    private static final double FASTER = 0.95;

    private final Rounds rounds;
    private final int iterations;

    /** @param iterations of a chunk, at most */
    WarmUp(Rounds rounds, int iterations) {
        this.rounds = rounds;
        this.iterations = iterations;
    }

    void run(MeasuredPath path, Cell cell) throws HvException, InterruptedException {
        double best = Double.MAX_VALUE;
        int calm = 0;
        for (int chunk = 0; chunk < MOST_CHUNKS && calm < CALM_CHUNKS; chunk++) {
            long[] nanos = rounds.run(path, cell, iterations, 0, CHUNK_MILLIS);
            double median = Percentiles.ofNanos(List.of(nanos), 1).median();
            calm = median < FASTER * best ? 0 : calm + 1;
            best = Math.min(best, median);
        }
    }
}
