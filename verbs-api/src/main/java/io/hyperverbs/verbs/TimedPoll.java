package io.hyperverbs.verbs;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Polls until something is there or time is over, by a {@link WaitingPolicy}: spins, yields, then
 * naps of at most 1 ms. One thread at a time; allocates nothing while it waits.
 */
public final class TimedPoll {
    /** What is polled: {@link io.hyperverbs.verbs.CompletionQueue#poll(WorkCompletion[])}. */
    @FunctionalInterface
    public interface Source {
        /** Fills what there is, without waiting; how many. */
        int poll(WorkCompletion[] completions);
    }

    private final WaitingPolicy waiting;
    private final LongSupplier nanoTime;

    /**
     * @param nanoTime a clock such as {@link System#nanoTime}
     */
    public TimedPoll(WaitingPolicy waiting, LongSupplier nanoTime) {
        this.waiting = waiting;
        this.nanoTime = nanoTime;
    }

    /**
     * Polls at least once.
     *
     * @param timeout zero or less: does not wait
     * @return how many were filled; 0 when time was over first
     * @throws VerbsException EINTR if the thread is interrupted while it waits
     */
    public int poll(Source source, WorkCompletion[] completions, Duration timeout) throws VerbsException {
        int found = source.poll(completions);
        if (found > 0 || !timeout.isPositive()) {
            return found;
        }
        long limitNanos = nanos(timeout);
        long startNanos = nanoTime.getAsLong();
        waiting.reset();
        do {
            if (Thread.currentThread().isInterrupted()) {
                throw new VerbsException(VerbsStatus.EINTR, "interrupted while polling");
            }
            waiting.idleOrNap();
            found = source.poll(completions);
        } while (found == 0 && nanoTime.getAsLong() - startNanos < limitNanos);
        return found;
    }

    private static long nanos(Duration timeout) {
        return timeout.toSeconds() >= Long.MAX_VALUE / 1_000_000_000L ? Long.MAX_VALUE : timeout.toNanos();
    }
}
