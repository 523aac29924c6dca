package io.hyperverbs.frontend.event;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which thread of those that wait for events of one page sleeps on it, the leader: it takes the events of the others, the
 * followers, too, and when it leaves, one of them is next. A virtual thread cannot lead, as it would take its carrier
 * into the sleep: a reader thread leads for it, made when the first one comes. While nobody waits nobody leads.
 *
 * <p>The lock here is taken last. Invariant, outside of it: while there are followers and no leader, somebody is on
 * the way that leads or calls {@link #handOn}.
 */
final class Leadership {
    /** So long the reader goes on when nobody waits for it. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PostedRing ring;
    private final String readerName;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readerNeeded = lock.newCondition();
    private final Condition left = lock.newCondition();
    private final Deque<EventWaiters> followers = new ArrayDeque<>();
    private int virtualFollowers;
    private boolean isLed;
    private boolean isStopped;
    private @Nullable Thread reader;

    Leadership(PostedRing ring, String readerName) {
        this.ring = ring;
        this.readerName = readerName;
    }

    PostedRing ring() {
        return ring;
    }

    /** The calling thread, a platform thread, leads from now on; or else it follows until {@link #unfollow}. */
    boolean leadOrFollow(EventWaiters waiters) {
        lock.lock();
        try {
            if (isLed || isStopped || !ring.isOpen()) {
                followers.add(waiters);
                return false;
            }
            isLed = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    void unfollow(EventWaiters waiters) {
        lock.lock();
        try {
            boolean _ = followers.remove(waiters);
        } finally {
            lock.unlock();
        }
    }

    /** A virtual thread follows until {@link #unfollowVirtual}. */
    void followVirtual() {
        lock.lock();
        try {
            ensureReader();
            virtualFollowers++;
            readerNeeded.signal();
        } finally {
            lock.unlock();
        }
    }

    void unfollowVirtual() {
        lock.lock();
        try {
            virtualFollowers--;
        } finally {
            lock.unlock();
        }
    }

    /** The leader leads no more; {@link #handOn} has to follow. */
    void leave() {
        lock.lock();
        try {
            isLed = false;
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** If nobody leads, and somebody waits, one is called to. The caller has no waiters' lock. */
    void handOn() {
        EventWaiters next = null;
        lock.lock();
        try {
            if (!isLed && !isStopped) {
                next = followers.peek();
                readerNeeded.signal();
            }
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.callToLead();
        }
    }

    private void ensureReader() {
        if (reader == null && !isStopped) {
            Thread thread = Thread.ofPlatform().name(readerName).daemon().unstarted(this::read);
            thread.start();
            reader = thread;
        }
    }

    private void read() {
        while (readerLeads()) {
            try {
                serve();
            } finally {
                leave();
                handOn();
            }
        }
    }

    // Waits until the reader has to lead; false when it is to end.
    private boolean readerLeads() {
        lock.lock();
        try {
            while (!isStopped && ring.isOpen()) {
                if (!isLed && followers.isEmpty() && virtualFollowers > 0) {
                    isLed = true;
                    return true;
                }
                readerNeeded.awaitUninterruptibly();
            }
            reader = null;
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void serve() {
        long idleNanos = 0;
        while (readerStays(idleNanos)) {
            // Whoever interrupts all threads of a program means others; the flag would keep it from sleep.
            boolean _ = Thread.interrupted();
            int calls = ring.calls();
            long startNanos = System.nanoTime();
            ring.sleep(calls, LINGER_NANOS);
            idleNanos = System.nanoTime() - startNanos;
            ring.take();
        }
    }

    private boolean readerStays(long idleNanos) {
        lock.lock();
        try {
            boolean isNeeded = virtualFollowers > 0 || idleNanos < LINGER_NANOS;
            return !isStopped && ring.isOpen() && followers.isEmpty() && isNeeded;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody leads any more, and nobody touches the page when this returns. Not beside {@link #start}. */
    void stop() {
        lock.lock();
        try {
            isStopped = true;
            readerNeeded.signalAll();
        } finally {
            lock.unlock();
        }
        ring.close();
        lock.lock();
        try {
            while (isLed) {
                left.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** As before {@link #stop}. Not beside it. */
    void start() {
        ring.reopen();
        lock.lock();
        try {
            isStopped = false;
            if (virtualFollowers > 0) {
                ensureReader();
            }
        } finally {
            lock.unlock();
        }
        handOn();
    }
}
