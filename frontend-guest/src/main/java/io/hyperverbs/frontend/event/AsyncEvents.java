package io.hyperverbs.frontend.event;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Asynchronous events of one context, until the program takes them; bounded. Any thread. */
public final class AsyncEvents {
    /** Events kept for a program that does not look; later ones are dropped. */
    static final int CAPACITY = 1024;

    private final ArrayBlockingQueue<AsyncEvent> queue = new ArrayBlockingQueue<>(CAPACITY);

    void add(AsyncEvent event) {
        if (!queue.offer(event) && event.type() == AsyncEvent.Type.DEVICE_FATAL) {
            // The one event that must not be missed.
            queue.poll();
            queue.offer(event);
        }
    }

    /** The next event, or empty after {@code timeout}. */
    public Optional<AsyncEvent> await(Duration timeout) throws VerbsException {
        try {
            return Optional.ofNullable(queue.poll(Durations.nanos(timeout), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(VerbsStatus.EINTR, "interrupted while waiting for an event");
        }
    }
}
