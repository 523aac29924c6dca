package io.hyperverbs.frontend.event;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.AsyncEvent.Subject;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
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
 * Asynchronous events of one context, until the program takes them; bounded. Whoever destroys an
 * object first retires it here, which waits for its unacknowledged events. Any thread.
 */
public final class AsyncEvents {
    /** Events kept for a program that does not look; later ones are dropped. */
    static final int CAPACITY = 1024;

    /** How long a destruction waits for events that the program took and has not acknowledged. */
    private static final Duration ACKNOWLEDGE_WITHIN = Duration.ofSeconds(10);

    // Numbers come back after thousands of others; an event is late by milliseconds at most.
    private static final int RETIRED = 1024;

    private record Named(Subject subject, int number) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final EventWaiters waiters = new EventWaiters(lock, null);
    private final Condition acknowledged = lock.newCondition();
    private final ArrayDeque<AsyncEvent> queue = new ArrayDeque<>();
    private final List<AsyncEvent> unacknowledged = new ArrayList<>();
    private final Set<Named> retired = new LinkedHashSet<>();

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
}
