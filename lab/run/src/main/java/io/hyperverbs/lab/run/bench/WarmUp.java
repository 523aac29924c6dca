package io.hyperverbs.lab.run.bench;

import io.hyperverbs.launcher.failure.HvException;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Runs something until it is no faster than before: what a program does for the first time is interpreted, and compiled
 * twice, in up to three JVMs.
 */
public final class WarmUp {
    /** How long a chunk lasts: compilers take half a second, which is as long as 25 of them. */
    public static final int CHUNK_MILLIS = 20;

    /** Chunks in a row that have to be no faster, of whatever it is. */
    private static final int LEAST_CHUNKS = 2;

    /** A median that is less than this part of the best one so far is faster, and no chance. */
    private static final double FASTER = 0.95;

    /** What is warmed up, and so how much of it has to be no faster. */
    public enum Work {
        /** What has run before, with other sizes. */
        REPEATED(50, LEAST_CHUNKS, 0, 1_000),

        /**
         * What has never run. Where programs share a core, a compiler takes it for whole time slices, and each hand-over
         * waits for one: all chunks are alike then, ten times too slow, until the compilers are done. After a second
         * they are, however few chunks it is: some take many times as long as they should.
         */
        NEW(250, 25, 0, 1_000),

        /**
         * Calls that go through several processes, each of which is timed: a method is compiled for good after its 5000th
         * call, and until then a call may take the same time for seconds. After three, they are as fast as they get.
         */
        NEW_CALLS(600, 25, 10_000, 3_000);

        private final int mostChunks;
        private final int chunks;
        private final int times;
        private final int millis;

        Work(int mostChunks, int chunks, int times, int millis) {
            this.mostChunks = mostChunks;
            this.chunks = chunks;
            this.times = times;
            this.millis = millis;
        }

        /** Either chunks with so many times, or a few that took so long. */
        private boolean isEnough(Calm calm, long nanoTime) {
            return (calm.chunks() >= chunks && calm.times() >= times)
                    || (calm.chunks() >= LEAST_CHUNKS && nanoTime - calm.sinceNanos() >= millis * 1_000_000L);
        }
    }

    private WarmUp() {}

    /** A part of it. */
    @FunctionalInterface
    public interface Chunk {
        /** Runs for about {@link #CHUNK_MILLIS}; returns the times. */
        long[] run() throws HvException, InterruptedException;
    }

    /** Runs chunk after chunk, as many at most as {@code work} says, until enough of them in a row were no faster. */
    public static void run(Work work, Chunk chunk) throws HvException, InterruptedException {
        run(work, chunk, System::nanoTime);
    }

    static void run(Work work, Chunk chunk, LongSupplier nanoTime) throws HvException, InterruptedException {
        double best = Double.MAX_VALUE;
        Calm calm = new Calm(0, 0, nanoTime.getAsLong());
        for (int i = 0; i < work.mostChunks && !work.isEnough(calm, nanoTime.getAsLong()); i++) {
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
}
