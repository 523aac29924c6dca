package io.hyperverbs.frontend.event;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Rung when events of a channel of the connection manager are there to be taken; they themselves
 * stay with the backend, so that none is lost when the event channel overflows. Ringing never
 * blocks. Any thread.
 */
public final class CmWakeUp implements CmBell {
    private final Semaphore rings = new Semaphore(0);
    private volatile @Nullable Failure failure;

    private record Failure(VerbsStatus status, String reason) {}

    @Override
    public void ring() {
        // One wake-up does for several events: the waiter that wakes takes all there are.
        if (rings.availablePermits() == 0) {
            rings.release();
        }
    }

    /** No wake-up comes any more; all waiters get the reason. The first reason stands. */
    @Override
    public synchronized void fail(VerbsStatus status, String reason) {
        if (failure == null) {
            failure = new Failure(status, reason);
            rings.release(Integer.MAX_VALUE / 2);
        }
    }

    /**
     * Waits for a ring; false after the timeout.
     *
     * @throws VerbsException the reason given to {@link #fail}; EINTR
     */
    public boolean await(long nanos) throws VerbsException {
        try {
            boolean rung = rings.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            Failure over = failure;
            if (over != null) {
                throw new VerbsException(over.status(), over.reason());
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
