package io.hyperverbs.hca.cq;

import io.hyperverbs.hca.schedule.TimerWheel;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The periods of moderated completion queues that run. Engine thread only; allocates nothing. */
public final class ModerationTimers {
    private final CqTable cqs;
    private final TimerWheel wheel;
    private long nowNanos;

    public ModerationTimers(CqTable cqs, int maxCq) {
        this.cqs = cqs;
        this.wheel = new TimerWheel(maxCq + 1);
    }

    /** As {@link TimerWheel#useClock}. */
    public void useClock(LongSupplier clock) {
        wheel.useClock(clock);
    }

    /** The queue's period begins now. */
    public void start(Cq cq) {
        wheel.start(cq.number(), nowNanos, cq.moderationNanos());
    }

    public void cancel(Cq cq) {
        wheel.cancel(cq.number());
    }

    /**
     * A turn of the engine begins.
     *
     * @return how many periods have ended; {@link #due} names the queues
     */
    public int advance(long now) {
        nowNanos = now;
        return wheel.isIdle() ? 0 : wheel.advance(now);
    }

    /** The {@code i}-th queue of {@link #advance} if its event is due, or null. */
    public @Nullable Cq due(int i) {
        Cq cq = cqs.byNumber(wheel.due(i));
        return cq != null && cq.endPeriod() ? cq : null;
    }

    /** As {@link TimerWheel#nanosToNext}. */
    public long nanosToNext(long now) {
        return wheel.nanosToNext(now);
    }
}
