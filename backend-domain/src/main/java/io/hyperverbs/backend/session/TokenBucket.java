package io.hyperverbs.backend.session;

/**
 * So many per second, with a burst of one second's worth, and some more on credit for what must not
 * be refused. Time is passed in. One thread at a time.
 */
public final class TokenBucket {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long perSecond;
    private final long credit;
    private long filledToNanos;
    private boolean started;
    private double tokens;

    public TokenBucket(long perSecond) {
        this(perSecond, 0);
    }

    /**
     * @param credit how many {@link #takeOnCredit} may take ahead of their time
     */
    public TokenBucket(long perSecond, long credit) {
        this.perSecond = perSecond;
        this.credit = credit;
        this.tokens = (double) perSecond;
    }

    /** Takes one if there is one. */
    public boolean take(long nowNanos) {
        return take(nowNanos, 1);
    }

    /** Takes one that may be owed: nothing else is taken until it is paid back. */
    public boolean takeOnCredit(long nowNanos) {
        return take(nowNanos, 1 - (double) credit);
    }

    private boolean take(long nowNanos, double atLeast) {
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
        if (tokens < atLeast) {
            return false;
        }
        tokens--;
        return true;
    }

    public long perSecond() {
        return perSecond;
    }
}
