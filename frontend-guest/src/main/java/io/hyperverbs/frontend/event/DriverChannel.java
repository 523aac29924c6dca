package io.hyperverbs.frontend.event;

import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Completion events of some queues, until the program takes them. A queue waits here at most once:
 * whoever takes its event polls it empty anyway, so the number of events kept is bounded by the
 * number of queues. Any thread.
 */
public final class DriverChannel extends VerbsNode implements CompletionChannel {
    private final int number;
    private final VerbsNode context;
    private final ReentrantLock lock = new ReentrantLock();
    private final EventWaiters waiters;
    private final Condition acknowledged = lock.newCondition();
    private final ArrayDeque<CqEventState> pending = new ArrayDeque<>();
    private final Map<CompletionQueue, CqEventState> queues = new HashMap<>();
    private final Runnable onClose;
    private @Nullable String failure;

    private DriverChannel(int number, VerbsNode context, @Nullable PostedEvents posted, Runnable onClose) {
        this.number = number;
        this.context = context;
        this.waiters = new EventWaiters(lock, posted == null ? null : posted.leadership());
        this.onClose = onClose;
    }

    /**
     * A channel of {@code context}; {@code dispatcher} notifies it when the event channel ends.
     *
     * @param posted where events are posted for that context; null if all are forwarded
     */
    public static DriverChannel create(
            int number, VerbsNode context, EventDispatcher dispatcher, @Nullable PostedEvents posted)
            throws VerbsException {
        DriverChannel[] self = new DriverChannel[1];
        DriverChannel channel = new DriverChannel(number, context, posted, () -> dispatcher.forget(self[0]));
        self[0] = channel;
        channel.dependOn(context);
        dispatcher.add(channel);
        return channel;
    }

    @Override
    public Optional<CompletionQueue> await(Duration timeout) throws VerbsException {
        return waiters.await(this::next, timeout);
    }

    private @Nullable CompletionQueue next() throws VerbsException {
        CqEventState events = pending.poll();
        if (events == null) {
            if (failure != null) {
                throw new VerbsException(VerbsStatus.EIO, failure);
            }
            return null;
        }
        events.pending = false;
        events.unacknowledged++;
        return events.queue;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if that many events of {@code queue} were not taken here
     */
    @Override
    public void acknowledge(CompletionQueue queue, int count) {
        lock.lock();
        try {
            CqEventState events = queues.get(queue);
            int open = events == null ? 0 : events.unacknowledged;
            if (events == null || count < 0 || count > open) {
                throw new IllegalArgumentException(count + " events acknowledged, " + open + " taken of " + queue);
            }
            events.unacknowledged -= count;
            if (events.unacknowledged == 0) {
                acknowledged.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String describe() {
        return "channel " + number;
    }

    @Override
    protected void destroy() {
        onClose.run();
    }

    /** Whether queues of that context may send their events here: it is the channel's own. */
    @SuppressWarnings("ReferenceEquality") // That very context, not one like it.
    public boolean isOf(VerbsNode candidate) {
        return context == candidate;
    }

    /** A queue whose events come here. */
    public void register(CqEventState events) {
        lock.lock();
        try {
            queues.put(events.queue, events);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes no more events of a queue that is to be destroyed, drops those nobody took, and waits
     * until the others are acknowledged.
     *
     * @throws VerbsException EBUSY after {@code timeout}, EINTR; then events come again
     */
    public void retire(CqEventState events, Duration timeout) throws VerbsException {
        lock.lock();
        try {
            events.retired = true;
            boolean waiting = pending.remove(events);
            events.pending = false;
            long leftNanos = Durations.nanos(timeout);
            while (events.unacknowledged > 0) {
                if (leftNanos <= 0) {
                    reinstate(events, waiting);
                    throw new VerbsException(
                            VerbsStatus.EBUSY,
                            events.queue.describe()
                                    + " has "
                                    + events.unacknowledged
                                    + " events that were not acknowledged");
                }
                leftNanos = acknowledged.awaitNanos(leftNanos);
            }
            queues.remove(events.queue);
        } catch (InterruptedException e) {
            reinstate(events, false);
            Thread.currentThread().interrupt();
            throw new VerbsException(VerbsStatus.EINTR, "interrupted before events were acknowledged");
        } finally {
            lock.unlock();
        }
    }

    /** The queue lives on after all. */
    public void reinstate(CqEventState events) {
        lock.lock();
        try {
            reinstate(events, false);
        } finally {
            lock.unlock();
        }
    }

    void deliver(CqEventState events) {
        lock.lock();
        try {
            if (!events.retired && !events.pending) {
                events.pending = true;
                pending.add(events);
                waiters.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    void fail(String reason) {
        lock.lock();
        try {
            failure = reason;
            waiters.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void reinstate(CqEventState events, boolean waiting) {
        events.retired = false;
        queues.put(events.queue, events);
        if (waiting) {
            deliver(events);
        }
    }
}
