package io.hyperverbs.frontend.event;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for events kept in one place, under the lock of that place. Where the HCA posts the events one of
 * them may be the leader ({@link Leadership}), which sleeps on the page; all others sleep on a condition. Any thread.
 */
final class EventWaiters {
    /** A wake-up that was lost would cost so much; none is known to be. */
    private static final long LONGEST_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Gives an event that was kept; null if there is none. Called under the lock. */
    interface Kept<T> {
        @Nullable
        T next() throws VerbsException;
    }

    private final ReentrantLock lock;
    private final @Nullable Leadership leadership;
    private final Condition platform;
    private final Condition virtual;
    // Under the lock.
    private @Nullable Thread leader;
    private boolean isLeaderCalled;

    /**
     * @param lock of the place
     * @param leadership of the page that events come to; null if they are forwarded
     */
    EventWaiters(ReentrantLock lock, @Nullable Leadership leadership) {
        this.lock = lock;
        this.leadership = leadership;
        this.platform = lock.newCondition();
        this.virtual = lock.newCondition();
    }

    /**
     * Waits for an event; the caller has not the lock.
     *
     * @return empty after {@code timeout}
     * @throws VerbsException what {@code kept} throws; EINTR
     */
    <T> Optional<T> await(Kept<T> kept, Duration timeout) throws VerbsException {
        long nanos = Durations.nanos(timeout);
        long startNanos = System.nanoTime();
        lock.lock();
        try {
            T event = kept.next();
            if (event == null) {
                takePosted();
                event = kept.next();
            }
            long leftNanos = nanos - (System.nanoTime() - startNanos);
            while (event == null && leftNanos > 0) {
                sleep(leftNanos);
                event = kept.next();
                leftNanos = nanos - (System.nanoTime() - startNanos);
            }
            return Optional.ofNullable(event);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(VerbsStatus.EINTR, "interrupted while waiting for an event");
        } finally {
            stepDown();
            lock.unlock();
            if (leadership != null) {
                leadership.handOn();
            }
        }
    }

    /** One event more is kept. Under the lock. */
    void signal() {
        Thread leading = leader;
        if (leading != null && !isLeaderCalled) {
            isLeaderCalled = true;
            callLeader(leading);
        } else if (lock.hasWaiters(platform)) {
            platform.signal();
        } else {
            virtual.signal();
        }
    }

    /** All are to look. Under the lock. */
    void signalAll() {
        Thread leading = leader;
        if (leading != null) {
            callLeader(leading);
        }
        platform.signalAll();
        virtual.signalAll();
    }

    /** A platform thread that follows here is to lead. The caller has no waiters' lock. */
    void callToLead() {
        lock.lock();
        try {
            platform.signal();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // That very thread.
    private void callLeader(Thread leading) {
        if (leadership != null && leading != Thread.currentThread()) {
            leadership.ring().call();
        }
    }

    // Waits once; may end early. Under the lock, which it gives up meanwhile.
    private void sleep(long nanos) throws InterruptedException {
        boolean isVirtual = Thread.currentThread().isVirtual();
        if (leadership == null) {
            awaitSignal(isVirtual ? virtual : platform, nanos);
        } else if (isVirtual) {
            follow(leadership, nanos);
        } else {
            leadOrFollow(leadership, nanos);
        }
    }

    @SuppressWarnings("WaitNotInLoop") // The loop is in await.
    private static void awaitSignal(Condition condition, long nanos) throws InterruptedException {
        long _ = condition.awaitNanos(nanos);
    }

    private void follow(Leadership others, long nanos) throws InterruptedException {
        others.followVirtual();
        try {
            awaitSignal(virtual, nanos);
        } finally {
            others.unfollowVirtual();
        }
    }

    @SuppressWarnings("ReferenceEquality") // That very thread.
    private void leadOrFollow(Leadership others, long nanos) throws InterruptedException {
        Thread self = Thread.currentThread();
        if (leader == self && !others.ring().isOpen()) {
            stepDown();
        }
        if (leader == self || others.leadOrFollow(this)) {
            leader = self;
            lead(others.ring(), nanos);
            return;
        }
        try {
            awaitSignal(platform, nanos);
        } finally {
            others.unfollow(this);
        }
    }

    private void lead(PostedRing ring, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        isLeaderCalled = false;
        int calls = ring.calls();
        lock.unlock();
        try {
            ring.sleep(calls, Math.min(nanos, LONGEST_SLEEP_NANOS));
            ring.take();
        } finally {
            lock.lock();
        }
    }

    private void takePosted() {
        if (leadership == null) {
            return;
        }
        lock.unlock();
        try {
            leadership.ring().take();
        } finally {
            lock.lock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // That very thread.
    private void stepDown() {
        if (leadership != null && leader == Thread.currentThread()) {
            leader = null;
            leadership.leave();
        }
    }
}
