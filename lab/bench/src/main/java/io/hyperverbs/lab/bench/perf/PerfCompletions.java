package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes completions of a round's queues; while there are none it spins and yields, or with a channel sleeps on events.
 * One thread; polling allocates nothing.
 */
public final class PerfCompletions {
    private static final Duration SLEEP = Duration.ofMillis(5);

    private final WorkCompletion[] batch = new WorkCompletion[16];
    private final WaitingPolicy waiting = WaitingPolicy.yielding();
    private final List<CompletionQueue> queues;
    private final @Nullable CompletionChannel channel;
    private final Patience patience = new Patience();
    private boolean armed;

    /** @param channel of all the queues, or null to poll */
    public PerfCompletions(List<CompletionQueue> queues, @Nullable CompletionChannel channel) {
        this.queues = List.copyOf(queues);
        this.channel = channel;
        for (int i = 0; i < batch.length; i++) {
            batch[i] = new WorkCompletion();
        }
    }

    /** Takes what there is, up to 16, without waiting; all have to be successes. */
    public int take(CompletionQueue queue) throws BenchFailure {
        int count = queue.poll(batch);
        for (int i = 0; i < count; i++) {
            if (batch[i].status() != VerbsStatus.SUCCESS) {
                throw new BenchFailure(batch[i].explain());
            }
        }
        if (count > 0) {
            waiting.reset();
            patience.reset();
        }
        return count;
    }

    /** One of those that were taken last. */
    public WorkCompletion at(int index) {
        return batch[index];
    }

    /** Waits for the completions of {@code queue}; returns how many were taken. */
    int await(CompletionQueue queue) throws VerbsException, BenchFailure {
        int count = take(queue);
        while (count == 0) {
            idle();
            count = take(queue);
        }
        return count;
    }

    /** One step of waiting, after a look at each queue that found nothing. */
    public void idle() throws VerbsException, BenchFailure {
        boolean isOver = false;
        if (channel == null) {
            waiting.idle();
            isOver = patience.isOver();
        } else if (armed) {
            sleep(channel);
            isOver = patience.isOverNow();
        } else {
            for (CompletionQueue queue : queues) {
                queue.arm(false);
            }
            armed = true;
        }
        if (isOver) {
            throw new BenchFailure("no completion within 20 s in "
                    + queues.getFirst().describe() + " or " + queues.getLast().describe());
        }
    }

    private void sleep(CompletionChannel events) throws VerbsException {
        Optional<CompletionQueue> event = events.await(SLEEP);
        if (event.isPresent()) {
            events.acknowledge(event.get(), 1);
            armed = false;
        }
    }
}
