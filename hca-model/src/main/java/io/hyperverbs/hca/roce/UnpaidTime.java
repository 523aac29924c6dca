package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.schedule.EngineCost;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the engine's time for packets that no domain pays for, such as a stranger's, while queue pairs have work: what
 * they took is followed by a pause of {@link #OTHERS} times as much, in which ports where they come from are left alone.
 * So guests keep at least {@code OTHERS / (OTHERS + 1)} of the time, whatever arrives. What a domain pays for is followed
 * by a pause of what others are due for it. Engine thread only.
 */
final class UnpaidTime {
    /** What others are given, in times of what was taken: more than four fifths, as not all that is taken is measured. */
    static final int OTHERS = 5;

    /** More than modelled by so many times: the thread was kept from running. */
    private static final int MOST_TIMES_MODEL = 10;

    /** No pause is longer: there may be a peer's packets behind those of strangers. */
    private static final long LONGEST_PAUSE_NANOS = 2_000_000;

    /** Pauses so long are not made, but kept for when there are more: peers too send what gets nothing done. */
    private static final long GRACE_NANOS = 100_000;

    // nanoTime may be anything: the ends of the last pauses lie far back.
    private long unpaidUntilNanos = Long.MIN_VALUE / 2;
    private long owedUntilNanos = Long.MIN_VALUE / 2;
    private @Nullable LongSupplier clock;

    /** Measures by that clock, instead of by {@link EngineCost}. */
    void useClock(LongSupplier time) {
        clock = time;
    }

    /** The time, as near as it is known in a turn that began at {@code nowNanos}. */
    long time(long nowNanos) {
        LongSupplier time = clock;
        return time == null ? nowNanos : time.getAsLong();
    }

    /** Whether there is a pause, for while queue pairs have work. */
    boolean isPaused(long nowNanos) {
        return Math.max(unpaidUntilNanos, owedUntilNanos) > nowNanos;
    }

    /**
     * What unpaid packets took of a look.
     *
     * @param unpaid what they cost, by {@link EngineCost}
     * @param paid the same of the others
     * @param beginNanos the {@link #time} before
     */
    long took(long unpaid, long paid, long beginNanos) {
        LongSupplier time = clock;
        if (time == null) {
            return unpaid;
        }
        long most = MOST_TIMES_MODEL * (unpaid + paid) + EngineCost.LONGEST_TURN;
        long all = Math.min(time.getAsLong() - beginNanos, most);
        return paid == 0 ? all : (long) ((double) all * unpaid / (unpaid + paid));
    }

    /**
     * Answers to unpaid packets were sent.
     *
     * @param unpaidBytes of them
     * @param bytes of all that was sent with them
     * @param beginNanos the {@link #time} before
     */
    void answered(long unpaidBytes, long bytes, long beginNanos, long nowNanos) {
        long others = bytes - unpaidBytes;
        long paid = others == 0 ? 0 : EngineCost.request(others);
        spent(took(EngineCost.request(unpaidBytes), paid, beginNanos), 0, nowNanos);
    }

    /**
     * A look at a port is over.
     *
     * @param unpaidNanos what unpaid packets took
     * @param owedNanos what other domains are due for paid ones
     */
    void spent(long unpaidNanos, long owedNanos, long nowNanos) {
        long end = time(nowNanos);
        if (unpaidNanos > 0) {
            // The look itself was nobody else's time.
            long from = Math.max(unpaidUntilNanos + unpaidNanos, end - GRACE_NANOS);
            unpaidUntilNanos = Math.min(from + OTHERS * unpaidNanos, end + LONGEST_PAUSE_NANOS);
        }
        if (owedNanos > 0) {
            long from = Math.max(Math.max(unpaidUntilNanos, owedUntilNanos), end);
            owedUntilNanos = Math.min(from + owedNanos, end + LONGEST_PAUSE_NANOS);
        }
    }
}
