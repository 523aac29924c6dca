package io.hyperverbs.backend.event;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes one sleeping thread; a raise before the sleep is not lost. Raising is any thread's, costs a
 * fence and a look while nobody sleeps, and allocates nothing.
 *
 * <p>Both fields are volatile: the sleeper stores {@code sleeper}, then reads {@code raised}; the
 * raiser stores {@code raised}, then reads {@code sleeper}. So one of them sees the other. The
 * fences order the work itself: a raiser that finds {@code raised} set has published its work
 * before, and the sleeper looks for work only after it cleared the flag.
 */
public final class Signal {
    private volatile boolean raised;
    private volatile @Nullable Thread sleeper;

    public void raise() {
        VarHandle.fullFence();
        if (raised) {
            return;
        }
        raised = true;
        Thread thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** As {@link #await()}, but no longer than {@code maxNanos}. */
    public void await(long maxNanos) {
        long endNanos = System.nanoTime() + maxNanos;
        sleeper = Thread.currentThread();
        while (!raised && !Thread.currentThread().isInterrupted()) {
            long left = endNanos - System.nanoTime();
            if (left <= 0) {
                break;
            }
            LockSupport.parkNanos(this, left);
        }
        sleeper = null;
        raised = false;
        VarHandle.fullFence();
    }

    /** Sleeps until raised since the last call; one thread at a time. Ends early on interrupt. */
    public void await() {
        sleeper = Thread.currentThread();
        while (!raised && !Thread.currentThread().isInterrupted()) {
            LockSupport.park(this);
        }
        sleeper = null;
        raised = false;
        VarHandle.fullFence();
    }
}
