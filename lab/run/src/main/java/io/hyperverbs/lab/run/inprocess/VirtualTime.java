package io.hyperverbs.lab.run.inprocess;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets the HCA work at each call of a program, and time pass while it polls or waits. Any thread,
 * one call at a time: a call that waits for another thread's call would wait for ever.
 */
final class VirtualTime extends VerbsProxy {
    private static final Set<String> WAITS = Set.of("await", "awaitAsyncEvent", "getAsyncEvent", "poll");

    /** Longer ones are as good as for ever. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final HcaClockwork clockwork;
    private final ReentrantLock lock = new ReentrantLock();

    VirtualTime(HcaClockwork clockwork) {
        this.clockwork = clockwork;
    }

    @Override
    protected @Nullable Object called(Object real, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        lock.lock();
        try {
            if (args == null || !WAITS.contains(method.getName())) {
                clockwork.work();
                return call(real, method, args);
            }
            if (args[args.length - 1] instanceof Duration timeout
                    && !Thread.currentThread().isInterrupted()) {
                return await(real, method, args, timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST);
            }
            clockwork.turn();
            return call(real, method, args);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Object await(Object real, Method method, @Nullable Object[] args, Duration timeout)
            throws Throwable {
        args[args.length - 1] = Duration.ZERO;
        long startNanos = clockwork.nowNanos();
        while (true) {
            clockwork.turn();
            Object found = call(real, method, args);
            boolean isNone = found instanceof Optional<?> optional
                    ? optional.isEmpty()
                    : Integer.valueOf(0).equals(found);
            if (!isNone || clockwork.nowNanos() - startNanos >= timeout.toNanos()) {
                return found;
            }
        }
    }
}
