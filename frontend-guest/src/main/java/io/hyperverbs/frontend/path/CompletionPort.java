package io.hyperverbs.frontend.path;

import io.hyperverbs.verbs.VerbsException;
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
     * CreatedCq#heldEvent} runs when it is. Called on the event channel's thread.
     */
    boolean mayAnnounce();

    /**
     * Has the HCA {@code move} the queue into {@code other} and goes on there with what was not
     * polled.
     *
     * @throws VerbsException what {@code move} throws; nothing is changed then
     */
    void resize(RingMemory other, int entries, Move move) throws VerbsException;

    /** Has the HCA go on in other ring memory. */
    interface Move {
        /** {@code consumerIndex}: completions taken so far. */
        void run(int consumerIndex) throws VerbsException;
    }

    /** The queue is gone. */
    void close();
}
