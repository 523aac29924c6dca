package io.hyperverbs.verbs.cm;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import java.time.Duration;
import java.util.Optional;

/** Where events of connections arrive ({@code rdma_event_channel}). Callable from any thread. */
public interface CmChannel extends VerbsObject {
    /**
     * Waits, without using the processor, for the next event ({@code rdma_get_cm_event}). Taking it
     * acknowledges it. Queue pairs that the library moves are moved in here.
     *
     * @return the event, or empty after {@code timeout}
     * @throws VerbsException EIO if the channel to the backend ended; EINVAL if this one is closed,
     *     also while it waits; EINTR
     */
    Optional<CmEvent> await(Duration timeout) throws VerbsException;
}
