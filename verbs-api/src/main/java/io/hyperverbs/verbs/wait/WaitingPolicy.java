package io.hyperverbs.verbs.wait;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The three steps between two polls that found nothing: {@code onSpinWait} a few times, {@code
 * Thread.yield} for a window of time, then say that it is time to sleep. With three polling parties
 * on two cores a pure spinner makes a relay cost milliseconds, an early sleeper tens of
 * microseconds; this order costs about five.
 *
 * <p>Not for several threads at once. Allocates nothing; reads the clock only while yielding.
 *
 * <pre>{@code
 * while (cq.poll(completions) == 0) {
 *   if (waiting.idle()) { arm, look once more, sleep }
 * }
 * waiting.reset();
 * }</pre>
 */
public final class WaitingPolicy {
    /** Polls that only spin. More make it worse when the partner shares the core. */
    public static final int DEFAULT_SPINS = 20;

    /** How long to yield before sleep is advised. */
    public static final long DEFAULT_YIELD_NANOS = 100_000;

    private static final int NAP_PART = 8;
    private static final long MOST_NAP_NANOS = 1_000_000;

    private final int spins;
    private final long yieldNanos;
    private final @Nullable CostlyYield costly;
    private int spun;
    private long yieldingSinceNanos;

    /**
     * @param spins idle calls that only spin, at least 0
     * @param yieldNanos how long to yield after that, at least 0
     */
    public WaitingPolicy(int spins, long yieldNanos) {
        this(spins, yieldNanos, null);
    }

    private WaitingPolicy(int spins, long yieldNanos, @Nullable CostlyYield costly) {
        if (spins < 0 || yieldNanos < 0) {
            throw new IllegalArgumentException(
                    "spins " + spins + ", yieldNanos " + yieldNanos + ", must not be negative");
        }
        this.spins = spins;
        this.yieldNanos = yieldNanos;
        this.costly = costly;
    }

    /** 20 spins, 100 us of yielding. */
    public static WaitingPolicy hybrid() {
        return new WaitingPolicy(DEFAULT_SPINS, DEFAULT_YIELD_NANOS);
    }

    /**
     * Hybrid, for one that is woken by others and may share its core with a thread that never
     * yields. To yield to such a thread is to wait for the kernel's next tick, 4 ms often, while
     * one that sleeps goes first when it is woken: after a costly yield it advises sleep at once,
     * for a tenth of a second.
     */
    public static WaitingPolicy wary() {
        return wary(DEFAULT_YIELD_NANOS);
    }

    /** The same with another window. */
    public static WaitingPolicy wary(long yieldNanos) {
        return new WaitingPolicy(DEFAULT_SPINS, yieldNanos, new CostlyYield());
    }

    /** Never advises sleep: for a poller that has nothing to sleep on. */
    public static WaitingPolicy yielding() {
        return new WaitingPolicy(DEFAULT_SPINS, Long.MAX_VALUE);
    }

    /**
     * One step of waiting, after a poll that found nothing.
     *
     * @return true when the window is over and the caller should arm, look once more and sleep
     */
    public boolean idle() {
        if (spun < spins) {
            spun++;
            Thread.onSpinWait();
            return false;
        }
        if (yieldNanos == Long.MAX_VALUE) {
            Thread.yield();
            return false;
        }
        long nowNanos = System.nanoTime();
        if (spun == spins) {
            spun++;
            yieldingSinceNanos = nowNanos;
        }
        if (nowNanos - yieldingSinceNanos >= yieldNanos) {
            return true;
        }
        if (costly == null) {
            Thread.yield();
            return false;
        }
        if (costly.isRecent(nowNanos)) {
            return true;
        }
        Thread.yield();
        costly.note(nowNanos, System.nanoTime());
        return false;
    }

    /**
     * {@link #idle}, and a nap where that advises sleep: for a poller that has nothing to sleep on
     * and shares its core. What comes is seen an eighth later than it could have been, or 1 ms.
     */
    public void idleOrNap() {
        if (idle()) {
            long waitedNanos = System.nanoTime() - yieldingSinceNanos;
            LockSupport.parkNanos(Math.min(waitedNanos / NAP_PART, MOST_NAP_NANOS));
        }
    }

    /** Starts over, after a poll that found something or after waking. */
    public void reset() {
        spun = 0;
    }
}
