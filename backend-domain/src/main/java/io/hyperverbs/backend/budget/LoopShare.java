package io.hyperverbs.backend.budget;

/**
 * What the event loop of one domain has used of its share of the cores. While there are cores for
 * all loops that work, nothing is held against it; a domain that is alone may have a core. The
 * domain's event loop alone, but for {@link #isActive}.
 */
public final class LoopShare {
    /** Processor time that a loop may take at once, so that it does not stop after each call. */
    static final long BURST_NANOS = 2_000_000L;

    /** Longer pauses would outlast the others' need. */
    static final long MOST_PAUSE_NANOS = 20_000_000L;

    private final LoopShares all;
    private volatile long activeAtNanos;
    private volatile boolean started;
    private long filledToNanos;
    private long leftNanos = BURST_NANOS;

    LoopShare(LoopShares all) {
        this.all = all;
    }

    /**
     * The loop has worked.
     *
     * @param cpuNanos processor time that it took since the last time
     * @return for how long it should read nothing; 0: it may go on
     */
    public long pauseNanos(long cpuNanos, long nowNanos) {
        if (!started) {
            filledToNanos = nowNanos;
        }
        activeAtNanos = nowNanos;
        started = true;
        double share = all.share(nowNanos);
        long passedNanos = Math.max(0, nowNanos - filledToNanos);
        filledToNanos = nowNanos;
        if (share >= 1.0) {
            leftNanos = BURST_NANOS;
            return 0;
        }
        leftNanos = Math.min(BURST_NANOS, leftNanos + (long) ((double) passedNanos * share)) - cpuNanos;
        if (leftNanos >= 0) {
            return 0;
        }
        long pauseNanos = (long) ((double) -leftNanos / share);
        if (pauseNanos > MOST_PAUSE_NANOS) {
            // Debt beyond that is dropped.
            leftNanos = -(long) ((double) MOST_PAUSE_NANOS * share);
            return MOST_PAUSE_NANOS;
        }
        return pauseNanos;
    }

    boolean isActive(long nowNanos) {
        return started && nowNanos - activeAtNanos <= LoopShares.ACTIVE_NANOS;
    }
}
