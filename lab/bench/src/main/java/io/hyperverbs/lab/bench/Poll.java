package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.time.Duration;

/** Polls a queue until a completion comes, spinning and yielding. One thread; no allocation. */
public final class Poll {
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final int CLOCK_EVERY = 1 << 12;

    private final WaitingPolicy waiting = WaitingPolicy.yielding();
    private final WorkCompletion[] one = {new WorkCompletion()};

    /** The next completion of {@code queue}, which has to be a success. */
    WorkCompletion next(CompletionQueue queue) throws BenchFailure {
        int empty = 0;
        long giveUpNanos = 0;
        while (queue.poll(one) == 0) {
            waiting.idle();
            // The clock is looked at rarely: it would cost as much as the poll.
            if (++empty == CLOCK_EVERY) {
                empty = 0;
                long nowNanos = System.nanoTime();
                if (giveUpNanos == 0) {
                    giveUpNanos = nowNanos + PATIENCE_NANOS;
                } else if (nowNanos - giveUpNanos > 0) {
                    throw new BenchFailure("no completion within 20 s in " + queue.describe());
                }
            }
        }
        waiting.reset();
        if (one[0].status() != VerbsStatus.SUCCESS) {
            throw new BenchFailure(one[0].explain());
        }
        return one[0];
    }

    /** The same, by a look every millisecond: the processor is for others meanwhile. */
    WorkCompletion await(CompletionQueue queue, Duration patience) throws BenchFailure, InterruptedException {
        long endNanos = System.nanoTime() + patience.toNanos();
        while (queue.poll(one) == 0) {
            if (System.nanoTime() - endNanos > 0) {
                throw new BenchFailure("no message within " + patience.toSeconds() + " s in " + queue.describe());
            }
            Thread.sleep(1);
        }
        if (one[0].status() != VerbsStatus.SUCCESS) {
            throw new BenchFailure(one[0].explain());
        }
        return one[0];
    }

    /** Posting must succeed here: the queues are never full. */
    public static void check(VerbsStatus status) throws BenchFailure {
        if (status != VerbsStatus.SUCCESS) {
            throw new BenchFailure("post: " + status + " " + status.text());
        }
    }
}
