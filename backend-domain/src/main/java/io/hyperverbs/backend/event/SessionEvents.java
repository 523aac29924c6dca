package io.hyperverbs.backend.event;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.vmm.io.EventSink;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Events that one session has not read yet. A completion queue that is in it already is not put in
 * again; beyond its capacity events are dropped and the reader gets an overflow. Any thread; a sink is
 * called under the queue's lock.
 */
public final class SessionEvents {
    private record Async(long context, AsyncEvent event) {}

    private final int capacity;
    private final Set<Long> completions = new LinkedHashSet<>();
    private final Set<Long> channels = new LinkedHashSet<>();
    private final Queue<Async> asyncs = new ArrayDeque<>();
    private boolean overflowed;
    private boolean wasRead;
    private long dropped;
    private @Nullable EventSink sink;
    private BooleanSupplier ready = () -> false;

    /** {@code capacity}: events held, from 0. */
    public SessionEvents(int capacity) {
        this.capacity = capacity;
    }

    public synchronized void completion(long cq) {
        if (!completions.contains(cq) && hasRoom()) {
            completions.add(cq);
        }
        deliver();
    }

    public synchronized void async(long context, AsyncEvent event) {
        if (hasRoom()) {
            asyncs.add(new Async(context, event));
        }
        deliver();
    }

    /** A channel of the connection manager has events to take; in the queue once at most. */
    public synchronized void connections(long channel) {
        if (!channels.contains(channel) && hasRoom()) {
            channels.add(channel);
        }
        deliver();
    }

    /**
     * Events go to {@code to} from now on, while {@code isReady}; the sink before it is closed. A
     * later subscriber gets an overflow first: events on their way to the previous one may be lost.
     */
    public synchronized void subscribe(EventSink to, BooleanSupplier isReady) {
        close("replaced by a new subscription");
        sink = to;
        ready = isReady;
        to.subscribed();
        overflowed |= wasRead;
        wasRead = true;
        deliver();
    }

    /** Forgets {@code from} if events go there; they are kept for the next. */
    @SuppressWarnings("ReferenceEquality") // That very subscription, not one like it.
    public synchronized void unsubscribe(EventSink from) {
        if (sink == from) {
            sink = null;
        }
    }

    /** Delivers what fits; for a reader that has become ready again. */
    public synchronized void deliver() {
        EventSink to = sink;
        if (to == null) {
            return;
        }
        while (ready.getAsBoolean()) {
            if (overflowed) {
                overflowed = false;
                to.overflow();
            } else if (!asyncs.isEmpty()) {
                Async next = asyncs.remove();
                to.async(next.context, next.event);
            } else if (!channels.isEmpty()) {
                Long channel = channels.iterator().next();
                channels.remove(channel);
                to.connections(channel);
            } else if (!completions.isEmpty()) {
                Long cq = completions.iterator().next();
                completions.remove(cq);
                to.completion(cq);
            } else {
                return;
            }
        }
    }

    /** The object is gone: an event of it would name nothing. */
    public synchronized void forget(long cq) {
        completions.remove(cq);
    }

    /** The channel of the connection manager is gone. */
    public synchronized void forgetConnections(long channel) {
        channels.remove(channel);
    }

    /** Tells the subscriber that no more events come. */
    public synchronized void close(String reason) {
        EventSink to = sink;
        sink = null;
        if (to != null) {
            to.closed(reason);
        }
    }

    /** Events waiting. */
    public synchronized int size() {
        return completions.size() + asyncs.size() + channels.size();
    }

    /** Events dropped since the start. */
    public synchronized long dropped() {
        return dropped;
    }

    private boolean hasRoom() {
        if (size() < capacity) {
            return true;
        }
        overflowed = true;
        dropped++;
        return false;
    }
}
