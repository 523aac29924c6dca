package io.hyperverbs.frontend.path;

import io.hyperverbs.verbs.VerbsStatus;

/** The path's side of polling one completion queue; used by the thread that polls. */
public interface CompletionPort {
    /** Before a poll of at most {@code max} that found the ring empty. */
    void refill(int max);

    /** After a poll that took something; {@code consumerIndex} counts all taken so far. */
    void consumed(int consumerIndex);

    /** Asks for one event for a completion from {@code consumerIndex} on. */
    VerbsStatus arm(boolean solicitedOnly, int consumerIndex);

    /**
     * An event came. False: the completion it announces is not there yet, and {@link
     * CqEnds#heldEvent} runs when it is. Called on the event channel's thread.
     */
    boolean mayAnnounce();

    /** The queue is gone. */
    void close();
}
