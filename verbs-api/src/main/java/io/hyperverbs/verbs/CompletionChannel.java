package io.hyperverbs.verbs;

import java.time.Duration;
import java.util.Optional;

/** Where completion events arrive ({@code ibv_comp_channel}). Callable from any thread. */
public interface CompletionChannel extends VerbsObject {
    /**
     * Waits, without using the processor, for an event of an armed queue ({@code
     * ibv_get_cq_event}). Each event must be acknowledged.
     *
     * @return the queue, or empty after {@code timeout}
     */
    Optional<CompletionQueue> await(Duration timeout) throws VerbsException;

    /** Acknowledges {@code count} events of {@code queue} ({@code ibv_ack_cq_events}). */
    void acknowledge(CompletionQueue queue, int count);
}
