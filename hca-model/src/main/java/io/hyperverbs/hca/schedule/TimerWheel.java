package io.hyperverbs.hca.schedule;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One timer per queue pair on a hashed wheel of 4096 ticks of 8.192 us (G. Varghese, A. Lauck,
 * Hashed and hierarchical timing wheels, 1987). A timer never fires early; it fires at most one
 * tick and one turn late. Lists are links between indexes in flat arrays.
 */
public final class TimerWheel {
    private static final int NONE = -1;
    private static final int TICK_SHIFT = 13;
    private static final int TICKS = 4096;

    private final int[] heads = new int[TICKS];
    private final int[] next;
    private final int[] previous;
    private final long[] deadlines;
    private final int[] buckets;
    private final int[] due;
    private int active;
    private long doneTick;
    private long originNanos;
    private boolean begun;
    private @Nullable LongSupplier clock;

    public TimerWheel(int maxQp) {
        next = new int[maxQp];
        previous = new int[maxQp];
        deadlines = new long[maxQp];
        buckets = new int[maxQp];
        due = new int[maxQp];
        Arrays.fill(heads, NONE);
        Arrays.fill(buckets, NONE);
    }

    /**
     * Reads the time of each start from {@code clock}, the one that turns are timed by. A turn's
     * own time is older than what happens in it, by as long as the thread was kept from running: a
     * delay counted from there would be too short.
     */
    public void useClock(LongSupplier clock) {
        this.clock = clock;
    }

    /** Starts the timer of a queue pair, or moves it. */
    public void start(int index, long nowNanos, long delayNanos) {
        begin(nowNanos);
        cancel(index);
        LongSupplier now = clock;
        long deadline = (now == null ? nowNanos : now.getAsLong()) + delayNanos;
        // Never into a bucket that this revolution has passed.
        long tick = Math.max((deadline - originNanos) >> TICK_SHIFT, doneTick + 1);
        int bucket = (int) tick & (TICKS - 1);
        deadlines[index] = deadline;
        buckets[index] = bucket;
        previous[index] = NONE;
        next[index] = heads[bucket];
        if (heads[bucket] != NONE) {
            previous[heads[bucket]] = index;
        }
        heads[bucket] = index;
        active++;
    }

    public void cancel(int index) {
        int bucket = buckets[index];
        if (bucket == NONE) {
            return;
        }
        if (previous[index] == NONE) {
            heads[bucket] = next[index];
        } else {
            next[previous[index]] = next[index];
        }
        if (next[index] != NONE) {
            previous[next[index]] = previous[index];
        }
        buckets[index] = NONE;
        active--;
    }

    /** Whether no timer runs. */
    public boolean isIdle() {
        return active == 0;
    }

    /** Whether the timer of a queue pair runs, and is due at that time or before. */
    public boolean isDueBy(int index, long nanos) {
        return buckets[index] != NONE && deadlines[index] - nanos <= 0;
    }

    /** As the other, however many there are. */
    public int advance(long nowNanos) {
        return advance(nowNanos, due.length);
    }

    /**
     * Takes timers that are due off the wheel.
     *
     * @param most so many, and the rest at the next call
     * @return how many; {@link #due} names them
     */
    public int advance(long nowNanos, int most) {
        begin(nowNanos);
        // The tick that now is in has deadlines yet to come: it waits.
        long lastTick = ((nowNanos - originNanos) >> TICK_SHIFT) - 1;
        if (active == 0) {
            doneTick = Math.max(doneTick, lastTick);
            return 0;
        }
        int count = 0;
        long firstTick = Math.max(doneTick + 1, lastTick - TICKS + 1);
        for (long tick = firstTick; tick <= lastTick; tick++) {
            int index = heads[(int) tick & (TICKS - 1)];
            while (index != NONE) {
                int following = next[index];
                if (deadlines[index] - nowNanos <= 0) {
                    if (count == most) {
                        doneTick = tick - 1;
                        return count;
                    }
                    cancel(index);
                    due[count++] = index;
                }
                index = following;
            }
        }
        doneTick = Math.max(doneTick, lastTick);
        return count;
    }

    /** The {@code i}-th timer that {@link #advance} took. */
    public int due(int i) {
        return due[i];
    }

    /**
     * Nanoseconds until {@link #advance} has something to take, {@code Long.MAX_VALUE} if no timer
     * runs. Looks at every bucket: for a thread about to sleep.
     */
    public long nanosToNext(long nowNanos) {
        long best = Long.MAX_VALUE;
        if (active == 0) {
            return best;
        }
        for (int head : heads) {
            for (int index = head; index != NONE; index = next[index]) {
                best = Math.min(best, deadlines[index] - nowNanos);
            }
        }
        return Math.max(best, 0) + (1L << TICK_SHIFT);
    }

    private void begin(long nowNanos) {
        if (!begun) {
            begun = true;
            originNanos = nowNanos;
            doneTick = -1;
        }
    }
}
