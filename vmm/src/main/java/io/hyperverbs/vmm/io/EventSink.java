package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.AsyncEvent;

/** Receives what the HCA reports about a session's objects (Liu 2006 §4.2, event handling). */
public interface EventSink {
    /** Events come from now on; also when they come again after the channel was lost. */
    default void subscribed() {}

    /** An armed completion queue got a completion. */
    void completion(long cq);

    /** Something happened to an object of {@code context}. */
    void async(long context, AsyncEvent event);

    /** A channel of the connection manager has events to take. */
    void connections(long channel);

    /**
     * Events were dropped because the session read too slowly, or lost with the channel that they
     * were on: every queue has to be looked at.
     */
    void overflow();

    /** No more events: the channel ended. */
    void closed(String reason);
}
