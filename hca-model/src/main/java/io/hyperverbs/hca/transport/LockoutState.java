package io.hyperverbs.hca.transport;

/** The misses of one domain at another. Times are passed in. */
final class LockoutState {
    private final long[] missNanos;
    private int misses;
    private int pauses;
    private long lastNanos;
    private long untilNanos;

    LockoutState(LockoutPolicy policy) {
        missNanos = new long[policy.misses()];
    }

    /** Counts a miss; whether a pause begins. */
    boolean miss(LockoutPolicy policy, long nowNanos) {
        if (isForgotten(policy, nowNanos)) {
            misses = 0;
            pauses = 0;
        }
        missNanos[misses % missNanos.length] = nowNanos;
        misses++;
        lastNanos = nowNanos;
        // The oldest of those remembered is where the next one will go.
        boolean many =
                misses >= missNanos.length && nowNanos - missNanos[misses % missNanos.length] <= policy.windowNanos();
        if (pauses == 0 && !many) {
            return false;
        }
        untilNanos = nowNanos + policy.pauseNanos(pauses);
        pauses++;
        return true;
    }

    /** Whether it has been quiet for long enough, its pause not counted. */
    boolean isForgotten(LockoutPolicy policy, long nowNanos) {
        if (misses == 0) {
            return true;
        }
        long since = pauses == 0 ? lastNanos : untilNanos;
        return nowNanos - since > policy.windowNanos();
    }

    boolean isPausing(long nowNanos) {
        return pauses > 0 && untilNanos - nowNanos > 0;
    }

    /** When the last pause ends, or ended. */
    long untilNanos() {
        return untilNanos;
    }
}
