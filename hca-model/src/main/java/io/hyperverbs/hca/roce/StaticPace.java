package io.hyperverbs.hca.roce;

import io.hyperverbs.verbs.StaticRate;

/**
 * Holds one queue pair to the static rates of its address vectors: whatever it sends takes the time that its packets,
 * with all their headers, take at that rate, and the next one waits for the end of that. Engine thread only.
 */
final class StaticPace {
    /** A burst of so long is sent at once: a timer is not finer. */
    private static final long BURST_NANOS = 20_000;

    private static final double LINE_MEGABITS = SendRate.LINE_BYTES_PER_SECOND * 8 / 1e6;

    private double bytesPerNano;
    // nanoTime may be anything: before the first packet it has been free for long.
    private long freeAtNanos = Long.MIN_VALUE / 2;

    /** Follows the address vector of what is sent next: {@link StaticRate}. */
    void rate(int code) {
        int megabits = StaticRate.megabitsPerSecond(code);
        // A megabit a second is a bit a microsecond. At the line's own rate there is nothing to limit.
        bytesPerNano = megabits == 0 || megabits >= LINE_MEGABITS ? 0 : megabits / 8e3;
    }

    /** Nanoseconds until something may be sent; 0 now. */
    long waitNanos(long nowNanos) {
        return bytesPerNano == 0 ? 0 : Math.max(0, freeAtNanos - BURST_NANOS - nowNanos);
    }

    /** How many of so many bytes may be sent at once, as a burst. */
    long burst(long mostBytes) {
        return bytesPerNano == 0 ? mostBytes : Math.min(mostBytes, (long) (BURST_NANOS * bytesPerNano));
    }

    /** Packets of so many bytes in all were sent. */
    void sent(long bytes, long nowNanos) {
        if (bytesPerNano != 0) {
            freeAtNanos = Math.max(freeAtNanos, nowNanos - BURST_NANOS) + (long) (bytes / bytesPerNano);
        }
    }
}
