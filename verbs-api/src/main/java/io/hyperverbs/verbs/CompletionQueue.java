package io.hyperverbs.verbs;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Where work requests end ({@code ibv_cq}). Polling, arming and resizing are for one thread at a
 * time.
 */
public interface CompletionQueue extends VerbsObject {
    /** Largest count, and largest period in microseconds, of {@link #moderate}. */
    int MAX_MODERATION = 0xffff;

    Context context();

    /** Completions it can hold: at least what was asked. */
    int capacity();

    /**
     * Takes up to {@code completions.length} completions in order and fills the caller's objects
     * ({@code ibv_poll_cq}). Never blocks, never allocates. A caller that polls in a loop uses a
     * {@link io.hyperverbs.verbs.wait.WaitingPolicy} between empty polls.
     *
     * @return how many were filled; 0 when there are none
     */
    int poll(WorkCompletion[] completions);

    /**
     * Polls until there are completions or {@code timeout} is over: spins, yields, then naps of at
     * most 1 ms, so that a long wait costs little of the processor. A program that waits for long
     * sleeps on a {@link CompletionChannel} instead; a {@link CompletionWaiter} does what fits.
     *
     * @param timeout zero or less: as {@link #poll(WorkCompletion[])}
     * @return how many were filled; 0 when time was over first
     * @throws VerbsException EINTR if the thread is interrupted while it waits
     */
    default int poll(WorkCompletion[] completions, Duration timeout) throws VerbsException {
        return new TimedPoll(WaitingPolicy.hybrid(), System::nanoTime).poll(this::poll, completions, timeout);
    }

    /**
     * As {@link #poll(WorkCompletion[], Duration)}, for as long as it takes.
     *
     * @return how many were filled, at least 1
     */
    default int await(WorkCompletion[] completions) throws VerbsException {
        int found = 0;
        while (found == 0) {
            found = poll(completions, ChronoUnit.FOREVER.getDuration());
        }
        return found;
    }

    /**
     * Asks for one event at the next completion ({@code ibv_req_notify_cq}); poll once more after
     * it. One-shot. An earlier request for any completion is not narrowed by a later one for
     * solicited ones.
     *
     * @param solicitedOnly only for receives marked solicited by their sender, and for errors
     * @return EINVAL if the queue has no channel
     */
    VerbsStatus arm(boolean solicitedOnly);

    /**
     * Makes room for more or fewer completions ({@code ibv_resize_cq}); those not yet polled stay,
     * in order. Requests may complete meanwhile.
     *
     * @param entries 1 to {@link DeviceAttributes#maxCqe()}; may be rounded up
     * @throws VerbsException EINVAL for a bad size, for one below the completions not yet polled,
     *     or once the queue has overrun; EAGAIN above the quota; nothing is changed then
     */
    void resize(int entries) throws VerbsException;

    /**
     * Spares events ({@code ibv_modify_cq}, {@code IBV_CQ_ATTR_MODERATE}): an armed queue gives its
     * event after {@code count} completions, or {@code periodMicros} after the first of them,
     * whichever comes first. Completions themselves are not delayed.
     *
     * @param count 0: the period alone decides; 1: each completion at once
     * @param periodMicros 0: the count alone decides
     * @throws VerbsException EINVAL for one that is negative or above {@link #MAX_MODERATION}
     */
    void moderate(int count, int periodMicros) throws VerbsException;
}
