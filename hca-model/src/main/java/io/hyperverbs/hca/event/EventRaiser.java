package io.hyperverbs.hca.event;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.verbs.AsyncEvent;

/**
 * How events leave the engine: completion events into the pages of domains that want them there, all others into the
 * event queue, or, where that is full, into a counter. Engine thread only.
 */
public final class EventRaiser {
    private final EventQueue events;
    private final EventPages pages;
    private final ContextMemory contexts;

    public EventRaiser(EventQueue events, EventPages pages, ContextMemory contexts) {
        this.events = events;
        this.pages = pages;
        this.contexts = contexts;
    }

    /** Something happened to {@code source}. */
    public void raise(EventSource source, AsyncEvent.Type type) {
        offer(source, 1 + type.code());
    }

    /** An armed completion queue, with its doorbell slot, got a completion. */
    public void raiseCompletion(EventSource queue, int slot) {
        if (!pages.post(queue.uar(), slot)) {
            offer(queue, EventQueue.COMPLETION);
        }
    }

    private void offer(EventSource source, int kind) {
        if (!events.offer(source, kind)) {
            contexts.count(Counter.EVENTS_DROPPED);
        }
    }
}
