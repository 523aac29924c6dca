package io.hyperverbs.hca.transport;

import java.time.Duration;

/**
 * What {@link KeyLockout} lets pass.
 *
 * @param misses so many within the window begin the first pause; 0 if there are never any
 * @param windowNanos and so long after the last miss and its pause all is forgotten
 * @param firstPauseNanos each further one is twice as long
 * @param maxPauseNanos but not longer than this
 */
public record LockoutPolicy(int misses, long windowNanos, long firstPauseNanos, long maxPauseNanos) {
    /** 8 misses within 60 s; pauses of 1 s to 64 s. */
    public static LockoutPolicy standard() {
        return new LockoutPolicy(
                8,
                Duration.ofSeconds(60).toNanos(),
                Duration.ofSeconds(1).toNanos(),
                Duration.ofSeconds(64).toNanos());
    }

    /** Nobody ever waits. */
    public static LockoutPolicy off() {
        return new LockoutPolicy(0, 0, 0, 0);
    }

    boolean isOn() {
        return misses > 0;
    }

    long pauseNanos(int pausesBefore) {
        // Beyond 32 doublings of a nanosecond and more the maximum is long reached.
        return Math.min(maxPauseNanos, firstPauseNanos << Math.min(pausesBefore, 32));
    }
}
