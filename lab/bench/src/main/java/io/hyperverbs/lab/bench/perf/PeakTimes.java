package io.hyperverbs.lab.bench.perf;

import java.util.Arrays;

/**
 * When messages were posted and when completions came, for the peak: the least time a message over all intervals from
 * the post of one message to the completion of it or a later one. One thread; no allocation while times are noted.
 */
final class PeakTimes {
    private final long[] postedNanos;
    private final long[] completedNanos;
    private int posted;

    /** @param messages that will be posted; 0 to note nothing */
    PeakTimes(int messages) {
        postedNanos = new long[messages];
        completedNanos = new long[messages];
    }

    /** So many messages are about to be posted by one doorbell. */
    void posted(int count) {
        if (postedNanos.length > 0) {
            Arrays.fill(postedNanos, posted, posted + count, System.nanoTime());
            posted += count;
        }
    }

    /** A completion came, with which so many messages in all are complete. */
    void completed(long count, long nowNanos) {
        if (completedNanos.length > 0) {
            completedNanos[(int) count - 1] = nowNanos;
        }
    }

    /**
     * The least time a message; 0 if nothing was noted.
     *
     * @param postList messages posted at once: intervals begin with the first of them
     */
    double nanosEach(int postList) {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < posted; i += postList) {
            for (int j = i; j < posted; j++) {
                if (completedNanos[j] != 0) {
                    least = Math.min(least, (completedNanos[j] - postedNanos[i]) / (j - i + 1.0));
                }
            }
        }
        return least == Double.MAX_VALUE ? 0 : least;
    }
}
