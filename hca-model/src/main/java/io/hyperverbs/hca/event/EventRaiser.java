package io.hyperverbs.hca.event;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.EventRingLayout;
import io.hyperverbs.verbs.AsyncEvent;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * How events leave the engine: into the pages of domains that want them there and have room; all others into the event
 * queue, or, where that is full, into a counter. Engine thread only.
 */
public final class EventRaiser {
    private final EventQueue events;
    private final EventPages completions;
    private final EventPages asyncs;
    private final ContextMemory contexts;

    /**
     * @param wake wakes who sleeps on the word at a machine address; must not wait
     */
    public EventRaiser(EventQueue events, ContextMemory contexts, int maxUar, LongConsumer wake) {
        this.events = events;
        this.completions = new EventPages(EventRingLayout.COMPLETIONS, contexts.memory(), maxUar, wake);
        this.asyncs = new EventPages(EventRingLayout.ASYNCS, contexts.memory(), maxUar, wake);
        this.contexts = contexts;
    }

    /** A UAR was opened on a zeroed page. */
    public void open(int uar, long page) {
        completions.open(uar, page);
        asyncs.open(uar, page);
    }

    public void close(int uar) {
        completions.close(uar);
        asyncs.close(uar);
    }

    /** Publishes what was raised since the last call; as {@link EventPages#flush}. */
    public void flush(IntConsumer woken) {
        events.flush();
        completions.flush(woken);
        asyncs.flush(woken);
    }

    /** Something happened to {@code source}. */
    public void raise(EventSource source, AsyncEvent.Type type) {
        int entry = EventRingLayout.async(type.code(), source.number());
        // The same event twice in a turn is one, as in the queue.
        if (!asyncs.isPosted(source.uar(), entry) && !asyncs.post(source.uar(), entry)) {
            offer(source, 1 + type.code());
        }
    }

    /** An armed completion queue, with its doorbell slot, got a completion. */
    public void raiseCompletion(EventSource queue, int slot) {
        if (!completions.post(queue.uar(), slot)) {
            offer(queue, EventQueue.COMPLETION);
        }
    }

    private void offer(EventSource source, int kind) {
        if (!events.offer(source, kind)) {
            contexts.count(Counter.EVENTS_DROPPED);
        }
    }
}
