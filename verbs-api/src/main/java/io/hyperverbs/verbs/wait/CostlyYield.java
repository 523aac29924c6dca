package io.hyperverbs.verbs.wait;

/** Whether it is a short while since a yield gave the core to a thread that kept it. */
final class CostlyYield {
    /** Threads that yield themselves, or sleep soon, are through with it earlier. */
    static final long COSTLY_NANOS = 300_000;

    /** How long not to try again; it costs up to 4 ms each time. */
    static final long SHY_NANOS = 100_000_000;

    private boolean happened;
    private long happenedAtNanos;

    /** Notes how long a yield took. */
    void note(long beforeNanos, long afterNanos) {
        happened = afterNanos - beforeNanos >= COSTLY_NANOS;
        happenedAtNanos = afterNanos;
    }

    boolean isRecent(long nowNanos) {
        return happened && nowNanos - happenedAtNanos < SHY_NANOS;
    }
}
