package io.hyperverbs.toolstack.walk.model;

import io.hyperverbs.verbs.AsyncEvent;

/** An asynchronous event that must come in the context of its queue pair. */
public record ExpectedEvent(ModelQp qp, AsyncEvent.Type type) {
    /** The slot of the context. */
    public int context() {
        return qp.pd.context;
    }
}
