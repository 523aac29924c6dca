package io.hyperverbs.lab.run.bench;

import io.hyperverbs.launcher.failure.HvException;
import java.util.List;

/**
 * Runs something until it is no faster than before: what a program does for the first time is interpreted, and compiled
 * twice, in up to three JVMs.
 */
public final class WarmUp {
    private static final int MOST_CHUNKS = 50;
    private static final int MOST_NEW_CHUNKS = 250;

    /** Chunks in a row that have to be no faster. */
    private static final int CALM_CHUNKS = 2;

    /**
     * The same of new code. Where programs share a core, a compiler takes it for whole time slices, and each hand-over
     * waits for one: all chunks are alike then, ten times too slow, until the compilers are done.
     */
    private static final int CALM_NEW_CHUNKS = 25;

    /** A median that is less than this part of the best one so far is faster, and no chance. */
    private static final double FASTER = 0.95;

    private WarmUp() {}

    /** A part of it. */
    @FunctionalInterface
    public interface Chunk {
        /** Runs for a moment that is long beside what is timed; returns the times. */
        long[] run() throws HvException, InterruptedException;
    }

    /**
     * Runs what has run before with other sizes, chunk after chunk, {@value #MOST_CHUNKS} at most, until
     * {@value #CALM_CHUNKS} in a row were no faster.
     */
    public static void untilNoFaster(Chunk chunk) throws HvException, InterruptedException {
        run(chunk, MOST_CHUNKS, CALM_CHUNKS);
    }

    /**
     * Runs what has never run before, {@value #MOST_NEW_CHUNKS} chunks at most, until {@value #CALM_NEW_CHUNKS} in a row
     * were no faster: chunks of 20 ms or more, as compilers take half a second.
     */
    public static void untilCompiled(Chunk chunk) throws HvException, InterruptedException {
        run(chunk, MOST_NEW_CHUNKS, CALM_NEW_CHUNKS);
    }

    private static void run(Chunk chunk, int mostChunks, int calmChunks) throws HvException, InterruptedException {
        double best = Double.MAX_VALUE;
        int calm = 0;
        for (int i = 0; i < mostChunks && calm < calmChunks; i++) {
            double median = Percentiles.ofNanos(List.of(chunk.run()), 1).median();
            calm = median < FASTER * best ? 0 : calm + 1;
            best = Math.min(best, median);
        }
    }
}
