package io.hyperverbs.backend.session;

/**
 * So many per second, with a burst of one second's worth unless it is said otherwise, and some more
 * on credit for what must not be refused. Time is passed in. One thread at a time.
 */
public final class TokenBucket {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long perSecond;
    private final long burst;
    private final long credit;
    private long filledToNanos;
    private boolean started;
    private double tokens;

    public TokenBucket(long perSecond) {
        this(perSecond, perSecond, 0);
    }

    /**
     * @param credit how many {@link #takeOnCredit} may take ahead of their time
     */
    public TokenBucket(long perSecond, long credit) {
        this(perSecond, perSecond, credit);
    }

    /** A bucket that holds {@code burst}, which it is filled with. */
    public static TokenBucket ofBurst(long perSecond, long burst) {
        return new TokenBucket(perSecond, burst, 0);
    }

    private TokenBucket(long perSecond, long burst, long credit) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.credit = credit;
        this.tokens = (double) burst;
    }

    /** Takes one if there is one. */
    public boolean take(long nowNanos) {
        return take(nowNanos, 1);
    }

    /** Takes so many if they are there; what costs more than a full bucket takes a full one. */
    public boolean take(long nowNanos, long cost) {
        double asked = (double) Math.max(1, Math.min(cost, burst));
        return take(nowNanos, asked, asked);
    }

    /** Takes one that may be owed: nothing else is taken until it is paid back. */
    public boolean takeOnCredit(long nowNanos) {
        return takeOnCredit(nowNanos, 1);
    }

    /** Takes so many that may be owed, at most a full bucket, as long as credit is left. */
    public boolean takeOnCredit(long nowNanos, long cost) {
        return take(nowNanos, (double) Math.max(1, Math.min(cost, burst)), 1 - (double) credit);
    }

    /** Gives back what turned out to be worth its cost; never more than the burst is there. */
    public void giveBack(long amount) {
        tokens = Math.min((double) burst, tokens + (double) amount);
    }

    /** Takes an amount that is known only now; it may be owed. */
    public void charge(long nowNanos, long amount) {
        fill(nowNanos);
        tokens -= (double) amount;
    }

    /** Whether what was charged is still owed. */
    public boolean isSpent(long nowNanos) {
        fill(nowNanos);
        return tokens <= 0;
    }

    private boolean take(long nowNanos, double asked, double atLeast) {
        fill(nowNanos);
        if (tokens < atLeast) {
            return false;
        }
        tokens -= asked;
        return true;
    }

    private void fill(long nowNanos) {
        if (!started) {
            started = true;
            filledToNanos = nowNanos;
        }
        long passedNanos = nowNanos - filledToNanos;
        if (passedNanos > 0) {
            tokens = Math.min((double) burst, tokens + (double) passedNanos * (double) perSecond / NANOS_PER_SECOND);
            filledToNanos = nowNanos;
        }
    }

    public long perSecond() {
        return perSecond;
    }
}
