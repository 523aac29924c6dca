package io.hyperverbs.frontend.event;

import io.hyperverbs.hca.layout.EventRingLayout;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.AsyncEvent.Subject;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous events of one context, until the program takes them; bounded. The HCA posts them into the context's page,
 * where that is wanted, or they are forwarded. Whoever destroys an
 * object first retires it here, which waits for its unacknowledged events. Any thread.
 */
public final class AsyncEvents {
    /** Events kept for a program that does not look; later ones are dropped. */
    static final int CAPACITY = 1024;

    /** How long a destruction waits for events that the program took and has not acknowledged. */
    private static final Duration ACKNOWLEDGE_WITHIN = Duration.ofSeconds(10);

    // Numbers come back after thousands of others; an event is late by milliseconds at most.
    private static final int RETIRED = 1024;

    /** No more events come. */
    static final AsyncEvent DEAF = new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0);

    private record Named(Subject subject, int number) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final EventWaiters waiters;
    private final @Nullable Leadership leadership;
    private final Condition acknowledged = lock.newCondition();
    private final ArrayDeque<AsyncEvent> queue = new ArrayDeque<>();
    private final List<AsyncEvent> unacknowledged = new ArrayList<>();
    private final Set<Named> retired = new LinkedHashSet<>();

    private AsyncEvents(@Nullable MemorySegment page, String name) {
        this.leadership =
                page == null ? null : new Leadership(new PostedRing(EventRingLayout.ASYNCS, page, new Posted()), name);
        this.waiters = new EventWaiters(lock, leadership);
    }

    /** All events are forwarded. */
    public static AsyncEvents forwarded() {
        return new AsyncEvents(null, "");
    }

    /** As {@link PostedEvents#on}; those that there is no room for are forwarded. */
    public static AsyncEvents posted(MemorySegment page, String name) {
        return new AsyncEvents(page, name);
    }

    /** Nobody touches the page any more when this returns. Not beside {@link #start}. */
    public void stop() {
        if (leadership != null) {
            leadership.stop();
        }
    }

    /** Takes events again, as the page is still the context's. Not beside {@link #stop}. */
    public void start() {
        if (leadership != null) {
            leadership.start();
        }
    }

    /** An event that the device domain brings. */
    void forwarded(AsyncEvent event) {
        // Those that left no room in the page came before.
        takePosted();
        add(event);
    }

    private void takePosted() {
        if (leadership != null) {
            leadership.ring().take();
        }
    }

    void add(AsyncEvent event) {
        lock.lock();
        try {
            if (retired.contains(named(event))) {
                return;
            }
            if (queue.size() == CAPACITY) {
                if (event.type() != AsyncEvent.Type.DEVICE_FATAL) {
                    return;
                }
                // The one event that must not be missed.
                queue.remove();
            }
            queue.add(event);
            waiters.signal();
        } finally {
            lock.unlock();
        }
    }

    /** The next event, acknowledged, or empty after {@code timeout}. */
    public Optional<AsyncEvent> await(Duration timeout) throws VerbsException {
        return next(timeout, false);
    }

    /** The next event, to be acknowledged, or empty after {@code timeout}. */
    public Optional<AsyncEvent> take(Duration timeout) throws VerbsException {
        return next(timeout, true);
    }

    /**
     * Acknowledges an event taken.
     *
     * @throws IllegalArgumentException if no such event is unacknowledged
     */
    public void acknowledge(AsyncEvent event) {
        lock.lock();
        try {
            if (!unacknowledged.remove(event)) {
                throw new IllegalArgumentException(event + " is not unacknowledged");
            }
            acknowledged.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Destroys an object. */
    public interface Destroying {
        void run() throws VerbsException;
    }

    /**
     * Destroys an object after its events: those taken are to be acknowledged within ten seconds.
     * If it stays, events of it come again.
     */
    public void end(Subject subject, int number, Destroying destroying) throws VerbsException {
        retire(subject, number, ACKNOWLEDGE_WITHIN);
        try {
            destroying.run();
            // None is left in the page for who gets the number next.
            takePosted();
        } catch (VerbsException e) {
            admit(subject, number);
            throw e;
        }
    }

    /**
     * Drops the events of an object that nobody took, takes no more, and waits until those taken
     * are acknowledged.
     *
     * @throws VerbsException EBUSY after {@code timeout}, EINTR; then events of it come again
     */
    void retire(Subject subject, int number, Duration timeout) throws VerbsException {
        takePosted();
        Named object = new Named(subject, number);
        lock.lock();
        try {
            retired.add(object);
            if (retired.size() > RETIRED) {
                retired.remove(retired.iterator().next());
            }
            queue.removeIf(event -> named(event).equals(object));
            long leftNanos = Durations.nanos(timeout);
            while (unacknowledged.stream().anyMatch(event -> named(event).equals(object))) {
                if (leftNanos <= 0) {
                    retired.remove(object);
                    throw new VerbsException(
                            VerbsStatus.EBUSY, subject + " " + number + " has events that were not acknowledged");
                }
                leftNanos = acknowledged.awaitNanos(leftNanos);
            }
        } catch (InterruptedException e) {
            retired.remove(object);
            Thread.currentThread().interrupt();
            throw new VerbsException(VerbsStatus.EINTR, "interrupted before events were acknowledged");
        } finally {
            lock.unlock();
        }
    }

    /** The object lives: its number is in use again, or it could not be destroyed. */
    public void admit(Subject subject, int number) {
        lock.lock();
        try {
            retired.remove(new Named(subject, number));
        } finally {
            lock.unlock();
        }
    }

    private Optional<AsyncEvent> next(Duration timeout, boolean toBeAcknowledged) throws VerbsException {
        return waiters.await(() -> poll(toBeAcknowledged), timeout);
    }

    private @Nullable AsyncEvent poll(boolean toBeAcknowledged) {
        AsyncEvent event = queue.poll();
        if (event != null && toBeAcknowledged) {
            unacknowledged.add(event);
        }
        return event;
    }

    private static Named named(AsyncEvent event) {
        return new Named(event.type().subject(), event.number());
    }

    private final class Posted implements PostedRing.Target {
        @Override
        public void event(int entry) {
            add(new AsyncEvent(
                    AsyncEvent.Type.of(EventRingLayout.asyncCode(entry)), EventRingLayout.asyncNumber(entry)));
        }

        @Override
        public void failed(String reason) {
            add(DEAF);
        }
    }
}
