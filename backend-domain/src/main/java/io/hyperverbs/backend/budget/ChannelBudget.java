package io.hyperverbs.backend.budget;

import io.hyperverbs.backend.session.TokenBucket;

/**
 * What one domain may still do on its channel that carries nothing. It belongs to the domain and
 * not to a connection, so connecting again changes nothing. What turns out to be a message is given
 * back. The domain's event loop alone.
 */
public final class ChannelBudget {
    /** Data frames that a message may come in beyond one for each of these bytes. */
    private static final int FRAME_BYTES = 8 << 10;

    private static final int SPARE_FRAMES = 2;

    /** A domain that kept within its budget for so long begins with the first pause again. */
    private static final long FORGIVEN_NANOS = 10_000_000_000L;

    private final BudgetLimits limits;
    private final TokenBucket connects;
    private final TokenBucket calls;
    private final TokenBucket data;
    private final TokenBucket resets;
    private final TokenBucket idle;
    private final TokenBucket pings;
    private long pauseNanos;
    private long exceededAtNanos;

    public ChannelBudget(BudgetLimits limits) {
        this.limits = limits;
        this.connects = TokenBucket.ofBurst(limits.connectsPerSecond(), limits.connectBurst());
        this.calls = TokenBucket.ofBurst(limits.callsPerSecond(), limits.callBurst());
        this.data = TokenBucket.ofBurst(limits.dataPerSecond(), limits.dataBurst());
        this.resets = TokenBucket.ofBurst(limits.resetsPerSecond(), limits.resetBurst());
        this.idle = new TokenBucket(limits.idlePerSecond());
        this.pings = new TokenBucket(limits.pingsPerSecond());
    }

    /** A connection was made. */
    public boolean connect(long nowNanos) {
        return connects.take(nowNanos);
    }

    /** The head of a call came; {@link #usefulCall} if it was worth it. */
    public boolean call(long nowNanos) {
        return calls.take(nowNanos);
    }

    /** A frame with data came; {@link #message} for those that made one. */
    public boolean data(long nowNanos) {
        return data.take(nowNanos);
    }

    /** A stream was reset. */
    public boolean reset(long nowNanos) {
        return resets.take(nowNanos);
    }

    /** A frame came that carries nothing. */
    public boolean idle(long nowNanos) {
        return idle.take(nowNanos);
    }

    /** A frame of flow control came. */
    public boolean ping(long nowNanos) {
        return pings.take(nowNanos);
    }

    /** A call has a message that could be read; once for each call. */
    public void usefulCall() {
        calls.giveBack(1);
    }

    /** A message of so many bytes could be read. */
    public void message(int bytes) {
        data.giveBack(SPARE_FRAMES + bytes / FRAME_BYTES);
    }

    /**
     * The domain went beyond its budget.
     *
     * @return for how long nothing of it is read
     */
    public long pauseNanos(long nowNanos) {
        boolean forgiven = pauseNanos == 0 || nowNanos - exceededAtNanos > FORGIVEN_NANOS;
        pauseNanos = forgiven
                ? limits.firstPause().toNanos()
                : Math.min(2 * pauseNanos, limits.longestPause().toNanos());
        exceededAtNanos = nowNanos;
        return pauseNanos;
    }
}
