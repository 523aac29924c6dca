package io.hyperverbs.frontend.event;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.EventSink;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Translates the handles in events to the objects of this driver (Liu 2006 §4.2) and passes the
 * events on. Never blocks. An event of an object that is gone is dropped.
 */
public final class EventDispatcher implements EventSink {
    private final Map<Long, CqEventState> queues = new ConcurrentHashMap<>();
    private final Map<Long, AsyncEvents> contexts = new ConcurrentHashMap<>();
    private final Map<Long, CmBell> bells = new ConcurrentHashMap<>();
    private final Set<DriverChannel> channels = ConcurrentHashMap.newKeySet();
    private volatile @Nullable String end;

    /** Events of the completion queue with that handle go to {@code events}. */
    public void add(long cq, CqEventState events) {
        queues.put(cq, events);
    }

    public void forget(long cq) {
        queues.remove(cq);
    }

    /** Asynchronous events of the context with that handle go to {@code events}. */
    public synchronized void addContext(long context, AsyncEvents events) {
        contexts.put(context, events);
        if (end != null) {
            events.add(AsyncEvents.DEAF);
        }
    }

    public void forgetContext(long context) {
        contexts.remove(context);
    }

    /** {@code bell} is rung when the CM channel with that handle has events. */
    public synchronized void addBell(long channel, CmBell bell) {
        bells.put(channel, bell);
        String reason = end;
        if (reason != null) {
            bell.fail(VerbsStatus.EIO, reason);
        }
    }

    public void forgetBell(long channel) {
        bells.remove(channel);
    }

    synchronized void add(DriverChannel channel) {
        channels.add(channel);
        String reason = end;
        if (reason != null) {
            channel.fail(reason);
        }
    }

    /** Whether no event can come any more: arming a queue would be in vain. */
    public boolean hasEnded() {
        return end != null;
    }

    void forget(DriverChannel channel) {
        channels.remove(channel);
    }

    @Override
    public void completion(long cq) {
        CqEventState events = queues.get(cq);
        if (events != null) {
            events.raise();
        }
    }

    @Override
    public void async(long context, AsyncEvent event) {
        AsyncEvents events = contexts.get(context);
        if (events != null) {
            events.forwarded(event);
        }
    }

    @Override
    public void connections(long channel) {
        CmBell bell = bells.get(channel);
        if (bell != null) {
            bell.ring();
        }
    }

    /** Which events were lost is not known: every armed queue is to be looked at. */
    @Override
    public void overflow() {
        queues.values().stream().filter(CqEventState::isArmed).forEach(CqEventState::announce);
        bells.values().forEach(CmBell::ring);
    }

    @Override
    public synchronized void closed(String reason) {
        String ended = "event channel ended: " + reason;
        // What is made from now on fails as well.
        end = ended;
        for (DriverChannel channel : channels) {
            channel.fail(ended);
        }
        for (AsyncEvents events : contexts.values()) {
            events.add(AsyncEvents.DEAF);
        }
        for (CmBell bell : bells.values()) {
            bell.fail(VerbsStatus.EIO, ended);
        }
    }
}
