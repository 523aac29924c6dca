package io.hyperverbs.frontend.channel;

import io.hyperverbs.vmm.io.ControlPath;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Numbers requests, and holds a new one back while the oldest that is unanswered would fall out of
 * the backend's reply window: its retry would be refused, and nobody would know whether the verb
 * was carried out. Any thread.
 */
final class RequestIds {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final boolean[] open = new boolean[ControlPath.REPLIES_KEPT];
    private long next = 1;
    private long oldest = 1;

    /** The next number; to be given to {@link #answered} whatever became of the request. */
    long draw() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (next - oldest >= ControlPath.REPLIES_KEPT) {
                moved.await();
            }
            open[place(next)] = true;
            return next++;
        } finally {
            lock.unlock();
        }
    }

    void answered(long id) {
        lock.lock();
        try {
            open[place(id)] = false;
            while (oldest < next && !open[place(oldest)]) {
                oldest++;
            }
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static int place(long id) {
        return (int) (id % ControlPath.REPLIES_KEPT);
    }
}
