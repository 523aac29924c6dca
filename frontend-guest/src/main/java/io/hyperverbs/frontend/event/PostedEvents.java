package io.hyperverbs.frontend.event;

import io.hyperverbs.hca.layout.EventRingLayout;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Completion events that the HCA posts into the UAR page of one context: nobody stands between the HCA and this domain.
 * Who waits for one takes them, and sleeps on the page itself while there are none; while nobody waits they stay there.
 * Any thread.
 */
public final class PostedEvents {
    private final Map<Integer, CqEventState> queues = new ConcurrentHashMap<>();
    private final PostedRing ring;
    private final Leadership leadership;

    private PostedEvents(MemorySegment page, String name) {
        this.ring = new PostedRing(EventRingLayout.COMPLETIONS, page, new Queues());
        this.leadership = new Leadership(ring, name);
    }

    /**
     * Has the events of a context posted into its mapped UAR page from now on.
     *
     * @param name of a thread that takes them for waiting threads that cannot
     */
    public static PostedEvents on(MemorySegment page, String name) {
        return new PostedEvents(page, name);
    }

    /** Events of the queue at that doorbell slot go to {@code events}. */
    public void add(int slot, CqEventState events) {
        queues.put(slot, events);
        String reason = ring.failure();
        if (reason != null) {
            events.fail(reason);
        }
    }

    /** The queue at that slot is destroyed; its events are taken, so that none is another's that gets the slot next. */
    public void forget(int slot) {
        queues.remove(slot);
        ring.take();
    }

    /** Nobody touches the page any more when this returns. Not beside {@link #start}. */
    public void stop() {
        leadership.stop();
    }

    /** Takes events again, as the page is still the context's. Not beside {@link #stop}. */
    public void start() {
        leadership.start();
    }

    Leadership leadership() {
        return leadership;
    }

    private final class Queues implements PostedRing.Target {
        @Override
        public void event(int slot) {
            CqEventState events = queues.get(slot);
            if (events != null) {
                events.raise();
            }
        }

        @Override
        public void failed(String reason) {
            queues.values().forEach(events -> events.fail(reason));
        }
    }
}
