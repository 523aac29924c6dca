package io.hyperverbs.hca.cq;

/**
 * When an armed completion queue signals its event: after so many completions, or so long after the
 * first of them. Keeps no time itself. One thread at a time; allocates nothing.
 */
public final class Moderation {
    /** What a completion means for the event. */
    public enum Verdict {
        /** The event is due. */
        DUE,
        /** It was the first: the period starts now. */
        BEGIN,
        /** More have to come, or the period to end. */
        WAIT
    }

    private int count;
    private long periodNanos;
    private int waiting;

    /**
     * @param newCount 0: the period alone decides
     * @param periodMicros 0: the count alone decides; with a count of 0, nothing is moderated
     */
    public void set(int newCount, int periodMicros) {
        count = newCount;
        periodNanos = periodMicros * 1000L;
    }

    public long periodNanos() {
        return periodNanos;
    }

    /** Whether completions wait for their event. */
    public boolean isWaiting() {
        return waiting > 0;
    }

    /** So many completions more that an event is to tell of, at least one. */
    public Verdict add(int completions) {
        boolean first = waiting == 0;
        waiting += completions;
        if (count == 1 || (count == 0 && periodNanos == 0) || (count != 0 && waiting >= count)) {
            return Verdict.DUE;
        }
        return first && periodNanos != 0 ? Verdict.BEGIN : Verdict.WAIT;
    }

    /**
     * The event was signalled, or counting begins again.
     *
     * @return how many completions waited
     */
    public int clear() {
        int waited = waiting;
        waiting = 0;
        return waited;
    }
}
