package io.hyperverbs.verbs;

/** Where work requests end ({@code ibv_cq}). Polling and arming are for one thread at a time. */
public interface CompletionQueue extends VerbsObject {
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
     * Asks for one event at the next completion ({@code ibv_req_notify_cq}); poll once more after
     * it. One-shot. An earlier request for any completion is not narrowed by a later one for
     * solicited ones.
     *
     * @param solicitedOnly only for receives marked solicited by their sender, and for errors
     * @return EINVAL if the queue has no channel
     */
    VerbsStatus arm(boolean solicitedOnly);
}
