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

    /**
     * Calls in a row that have to be no faster, of what goes through several processes: a method is compiled for good
     * after its 5000th call, and until then a call may take the same time for seconds.
     */
    private static final int CALM_CALLS = 10_000;

    /** So long, they are as fast as they get, however few they are. */
    private static final int CALM_CALLS_MILLIS = 3_000;

    private static final int MOST_CHUNKS_OF_CALLS = 600;

    /** A median that is less than this part of the best one so far is faster, and no chance. */
    private static final double FASTER = 0.95;

    private static final Rule NO_FASTER = new Rule(MOST_CHUNKS, CALM_CHUNKS, 0, CALM_MILLIS);
    private static final Rule COMPILED = new Rule(MOST_NEW_CHUNKS, CALM_NEW_CHUNKS, 0, CALM_MILLIS);
    private static final Rule CALLS = new Rule(MOST_CHUNKS_OF_CALLS, CALM_NEW_CHUNKS, CALM_CALLS, CALM_CALLS_MILLIS);

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
        run(chunk, NO_FASTER, System::nanoTime);
    }

    /**
     * Runs calls, each of which is timed, {@value #MOST_CHUNKS_OF_CALLS} chunks at most, until {@value #CALM_CALLS} in a
     * row, or all of {@value #CALM_CALLS_MILLIS} ms, were no faster.
     */
    public static void untilCallsAreCompiled(Chunk chunk) throws HvException, InterruptedException {
        untilCallsAreCompiled(chunk, System::nanoTime);
    }

    static void untilCallsAreCompiled(Chunk chunk, LongSupplier nanoTime) throws HvException, InterruptedException {
        run(chunk, CALLS, nanoTime);
    }

    /**
     * Runs what has never run before, {@value #MOST_NEW_CHUNKS} chunks at most, until {@value #CALM_NEW_CHUNKS} in a row
     * were no faster; or {@value #CALM_CHUNKS} and more that took {@value #CALM_MILLIS} ms, where a chunk is long.
     */
    public static void untilCompiled(Chunk chunk) throws HvException, InterruptedException {
        untilCompiled(chunk, System::nanoTime);
    }

    static void untilCompiled(Chunk chunk, LongSupplier nanoTime) throws HvException, InterruptedException {
        run(chunk, COMPILED, nanoTime);
    }

    private static void run(Chunk chunk, Rule rule, LongSupplier nanoTime) throws HvException, InterruptedException {
        double best = Double.MAX_VALUE;
        Calm calm = new Calm(0, 0, nanoTime.getAsLong());
        for (int i = 0; i < rule.mostChunks() && !rule.isMet(calm, nanoTime.getAsLong()); i++) {
            long[] nanos = chunk.run();
            double median = Percentiles.ofNanos(List.of(nanos), 1).median();
            calm = median < FASTER * best ? new Calm(0, 0, nanoTime.getAsLong()) : calm.and(nanos.length);
            best = Math.min(best, median);
        }
    }

    /** What has been no faster: so many chunks, with so many times, since then. */
    private record Calm(int chunks, long times, long sinceNanos) {
        Calm and(int more) {
            return new Calm(chunks + 1, times + more, sinceNanos);
        }
    }

    /** How much of it is enough: either chunks with so many times, or a few that took so long. */
    private record Rule(int mostChunks, int chunks, int times, int millis) {
        boolean isMet(Calm calm, long nanoTime) {
            return (calm.chunks() >= chunks && calm.times() >= times)
                    || (calm.chunks() >= CALM_CHUNKS && nanoTime - calm.sinceNanos() >= millis * 1_000_000L);
        }
    }
}
