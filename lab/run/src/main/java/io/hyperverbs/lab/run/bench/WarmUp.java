package io.hyperverbs.lab.run.bench;

import io.hyperverbs.launcher.failure.HvException;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Runs something until it is no faster than before: what a program does for the first time is interpreted, and compiled
 * twice, in up to three JVMs.
 */
public final class WarmUp {
    /** How long a chunk lasts: compilers take half a second, which is as long as {@value #CALM_NEW_CHUNKS} of them. */
    public static final int CHUNK_MILLIS = 20;

    private static final int MOST_CHUNKS = 50;
    private static final int MOST_NEW_CHUNKS = 250;

    /** Chunks in a row that have to be no faster. */
    private static final int CALM_CHUNKS = 2;

    /**
     * The same of new code. Where programs share a core, a compiler takes it for whole time slices, and each hand-over
     * waits for one: all chunks are alike then, ten times too slow, until the compilers are done.
     */
    private static final int CALM_NEW_CHUNKS = 25;

    /** So long, compilers are done, however few chunks it is: some take many times as long as they should. */
    private static final int CALM_MILLIS = 1_000;

    /** A median that is less than this part of the best one so far is faster, and no chance. */
    private static final double FASTER = 0.95;

    private WarmUp() {}

    /** A part of it. */
    @FunctionalInterface
    public interface Chunk {
        /** Runs for about {@link #CHUNK_MILLIS}; returns the times. */
        long[] run() throws HvException, InterruptedException;
    }

    /** Runs until it is warm what is new, or has run before with other sizes. */
    public static void run(boolean isNew, Chunk chunk) throws HvException, InterruptedException {
        if (isNew) {
            untilCompiled(chunk);
        } else {
            untilNoFaster(chunk);
        }
    }

    /**
     * Runs what has run before with other sizes, chunk after chunk, {@value #MOST_CHUNKS} at most, until
     * {@value #CALM_CHUNKS} in a row were no faster.
     */
    public static void untilNoFaster(Chunk chunk) throws HvException, InterruptedException {
        run(chunk, MOST_CHUNKS, CALM_CHUNKS, System::nanoTime);
    }

    /**
     * Runs what has never run before, {@value #MOST_NEW_CHUNKS} chunks at most, until {@value #CALM_NEW_CHUNKS} in a row
     * were no faster; or {@value #CALM_CHUNKS} and more that took {@value #CALM_MILLIS} ms, where a chunk is long.
     */
    public static void untilCompiled(Chunk chunk) throws HvException, InterruptedException {
        untilCompiled(chunk, System::nanoTime);
    }

    static void untilCompiled(Chunk chunk, LongSupplier nanoTime) throws HvException, InterruptedException {
        run(chunk, MOST_NEW_CHUNKS, CALM_NEW_CHUNKS, nanoTime);
    }

    private static void run(Chunk chunk, int mostChunks, int calmChunks, LongSupplier nanoTime)
            throws HvException, InterruptedException {
        double best = Double.MAX_VALUE;
        int calm = 0;
        long calmSince = nanoTime.getAsLong();
        for (int i = 0; i < mostChunks && calm < calmChunks; i++) {
            double median = Percentiles.ofNanos(List.of(chunk.run()), 1).median();
            if (median < FASTER * best) {
                calm = 0;
                calmSince = nanoTime.getAsLong();
            } else {
                calm++;
            }
            best = Math.min(best, median);
            if (calm >= CALM_CHUNKS && nanoTime.getAsLong() - calmSince >= CALM_MILLIS * 1_000_000L) {
                return;
            }
        }
    }
}
