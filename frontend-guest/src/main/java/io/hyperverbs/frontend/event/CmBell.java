package io.hyperverbs.frontend.event;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Rung when events of a channel of the connection manager are there to be taken; they themselves
 * stay with the backend, so that none is lost when the event channel overflows. Ringing never
 * blocks. Any thread.
 */
public final class CmBell {
    private final Semaphore rings = new Semaphore(0);
    private volatile @Nullable String failure;

    public void ring() {
        // One ring is as good as several: whoever hears it takes all there is.
        if (rings.availablePermits() == 0) {
            rings.release();
        }
    }

    /** No ring comes any more; all waiters learn why. */
    public void fail(String reason) {
        failure = reason;
        rings.release(Integer.MAX_VALUE / 2);
    }

    /**
     * Waits for a ring; false after the timeout.
     *
     * @throws VerbsException EIO after {@link #fail}; EINTR
     */
    public boolean await(long nanos) throws VerbsException {
        try {
            boolean rung = rings.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            String reason = failure;
            if (reason != null) {
                throw new VerbsException(VerbsStatus.EIO, reason);
            }
            return rung;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(VerbsStatus.EINTR, "interrupted while waiting for an event");
        }
    }

    /** A timeout in nanoseconds; a very long one is none. */
    public static long nanos(Duration timeout) {
        return Durations.nanos(timeout);
    }
}
