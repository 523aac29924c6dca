package io.hyperverbs.vmm.posix;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Pauses between tries of a call for which the computer has no memory or descriptors at the moment.
 * One thread.
 */
public final class Shortage {
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private long pauseNanos = TimeUnit.MICROSECONDS.toNanos(100);
    private long pausedNanos;

    /**
     * Pauses, longer each time; throws {@code failed} if that is no shortage, or one for too long.
     */
    public void waitOut(PosixException failed) throws PosixException {
        if (!failed.isShortage() || pausedNanos > MOST_NANOS) {
            throw failed;
        }
        pause();
    }

    /** Pauses, longer each time. */
    public void pause() {
        LockSupport.parkNanos(this, pauseNanos);
        pausedNanos += pauseNanos;
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }
}
