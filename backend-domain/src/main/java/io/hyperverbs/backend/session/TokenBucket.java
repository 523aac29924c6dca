package io.hyperverbs.backend.session;

/**
 * So many per second, with a burst of one second's worth. Time is passed in. One thread at a time.
 */
public final class TokenBucket {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long perSecond;
    private long filledToNanos;
    private boolean started;
    private double tokens;

    public TokenBucket(long perSecond) {
        this.perSecond = perSecond;
        this.tokens = (double) perSecond;
    }

    /** Takes one if there is one. */
    public boolean take(long nowNanos) {
        if (!started) {
            started = true;
            filledToNanos = nowNanos;
        }
        long passedNanos = nowNanos - filledToNanos;
        if (passedNanos > 0) {
            tokens =
                    Math.min(
                            (double) perSecond,
                            tokens + (double) passedNanos * (double) perSecond / NANOS_PER_SECOND);
            filledToNanos = nowNanos;
        }
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }

    public long perSecond() {
        return perSecond;
    }
}
