package io.hyperverbs.hca.event;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.verbs.AsyncEvent;

/** How events leave the engine: into the event queue, or, where that is full, into a counter. Engine thread only. */
public final class EventRaiser {
    private final EventQueue events;
    private final ContextMemory contexts;

    public EventRaiser(EventQueue events, ContextMemory contexts) {
        this.events = events;
        this.contexts = contexts;
    }

    /** Something happened to {@code source}. */
    public void raise(EventSource source, AsyncEvent.Type type) {
        offer(source, 1 + type.code());
    }

    /** An armed completion queue got a completion. */
    public void raiseCompletion(EventSource queue) {
        offer(queue, EventQueue.COMPLETION);
    }

    private void offer(EventSource source, int kind) {
        if (!events.offer(source, kind)) {
            contexts.count(Counter.EVENTS_DROPPED);
        }
    }
}
