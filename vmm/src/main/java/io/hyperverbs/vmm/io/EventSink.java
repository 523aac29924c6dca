package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.AsyncEvent;

/** Receives what the HCA reports about a session's objects (Liu 2006 §4.2, event handling). */
public interface EventSink {
    /** An armed completion queue got a completion. */
    void completion(long cq);

    /** Something happened to an object of {@code context}. */
    void async(long context, AsyncEvent event);

    /** A channel of the connection manager has events to take. */
    void connections(long channel);

    /** Events were dropped because the session read too slowly: every queue has to be looked at. */
    void overflow();

    /** No more events: the channel ended. */
    void closed(String reason);
}
