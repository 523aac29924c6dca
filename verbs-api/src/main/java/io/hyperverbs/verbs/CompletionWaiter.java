package io.hyperverbs.verbs;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Waits for completions of one queue: polls for a while, then sleeps on the queue's channel. How long it polls follows
 * from the waits before, as in a hypervisor that polls before it halts: twice as long after a wait that polling for
 * {@link #MOST_POLLING} would have seen the end of, half as long after one that it would not. So completions that come
 * soon cost no wake-up, and a program that waits for long leaves the processor to others.
 *
 * <pre>{@code
 * CompletionChannel channel = context.createChannel();
 * CompletionQueue cq = context.createCq(64, channel);
 * CompletionWaiter waiter = new CompletionWaiter(cq, channel);
 * int found = waiter.await(completions, Duration.ofSeconds(1));
 * }</pre>
 *
 * <p>The channel is for this queue alone; its events are taken and acknowledged here. One thread at a time, a virtual one
 * too. Allocates nothing where polling is enough.
 */
public final class CompletionWaiter {
    private static final long MOST_NANOS = WaitingPolicy.DEFAULT_YIELD_NANOS;

    /** The longest time of polling before sleep. */
    public static final Duration MOST_POLLING = Duration.ofNanos(MOST_NANOS);

    /** Less is not worth the look at the clock. */
    private static final long LEAST_NANOS = 5_000;

    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private final CompletionQueue queue;
    private final CompletionChannel channel;
    private final LongSupplier nanoTime;
    private final WaitingPolicy waiting = WaitingPolicy.yielding();
    private long pollingNanos = MOST_NANOS;

    /** An event was asked for that was not taken yet. */
    private boolean isArmed;

    /**
     * @param channel that {@code queue} was created with, and no other queue
     */
    public CompletionWaiter(CompletionQueue queue, CompletionChannel channel) {
        this(queue, channel, System::nanoTime);
    }

    CompletionWaiter(CompletionQueue queue, CompletionChannel channel, LongSupplier nanoTime) {
        this.queue = queue;
        this.channel = channel;
        this.nanoTime = nanoTime;
    }

    /**
     * Waits until there are completions or {@code timeout} is over.
     *
     * @param timeout zero or less: polls once
     * @return how many of {@code completions} were filled, in order; 0 when time was over first
     * @throws VerbsException EINTR if the thread is interrupted while it waits; EINVAL if the queue has no channel; EIO
     *     where no events come any more
     */
    public int await(WorkCompletion[] completions, Duration timeout) throws VerbsException {
        int found = queue.poll(completions);
        if (found > 0 || !timeout.isPositive()) {
            return found;
        }
        long limitNanos = nanos(timeout);
        long startNanos = nanoTime.getAsLong();
        found = poll(completions, startNanos, Math.min(pollingNanos, limitNanos));
        if (found > 0) {
            return found;
        }
        found = sleep(completions, startNanos, limitNanos);
        adapt(nanoTime.getAsLong() - startNanos);
        return found;
    }

    /** How long the next wait polls before it sleeps. */
    public Duration polling() {
        return Duration.ofNanos(pollingNanos);
    }

    private int poll(WorkCompletion[] completions, long startNanos, long windowNanos) throws VerbsException {
        waiting.reset();
        int found = 0;
        while (found == 0 && nanoTime.getAsLong() - startNanos < windowNanos) {
            if (Thread.currentThread().isInterrupted()) {
                throw new VerbsException(VerbsStatus.EINTR, "interrupted while polling");
            }
            boolean _ = waiting.idle();
            found = queue.poll(completions);
        }
        return found;
    }

    private int sleep(WorkCompletion[] completions, long startNanos, long limitNanos) throws VerbsException {
        while (true) {
            arm();
            int found = queue.poll(completions);
            long leftNanos = limitNanos - (nanoTime.getAsLong() - startNanos);
            if (found > 0 || leftNanos <= 0) {
                return found;
            }
            Optional<CompletionQueue> event = channel.await(Duration.ofNanos(leftNanos));
            if (event.isPresent()) {
                isArmed = false;
                channel.acknowledge(event.get(), 1);
            }
            // The event may be of a completion that was polled before: then there is nothing, and it is to be armed.
            found = queue.poll(completions);
            if (found > 0) {
                return found;
            }
        }
    }

    private void arm() throws VerbsException {
        if (isArmed) {
            return;
        }
        VerbsStatus status = queue.arm(false);
        if (status != VerbsStatus.SUCCESS) {
            throw new VerbsException(status, "cannot arm " + queue.describe());
        }
        isArmed = true;
    }

    private void adapt(long waitedNanos) {
        if (waitedNanos <= MOST_NANOS) {
            pollingNanos = Math.clamp(2 * pollingNanos, LEAST_NANOS, MOST_NANOS);
        } else {
            pollingNanos = pollingNanos / 2 < LEAST_NANOS ? 0 : pollingNanos / 2;
        }
    }

    private static long nanos(Duration timeout) {
        return timeout.compareTo(Duration.ofNanos(LONGEST_NANOS)) >= 0 ? LONGEST_NANOS : timeout.toNanos();
    }
}
