package io.hyperverbs.hca.event;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Single-producer, single-consumer queue of events. The engine offers; {@link #next} and the
 * accessors after it are the reader's. An event of a kind that already waits for the same source is
 * not queued again: a CQ has at most one completion event pending, however often it is armed.
 */
public final class EventQueue {
    /** Kind of a completion event; kind 1 + {@code AsyncEvent.Type.code()} is an async event. */
    public static final int COMPLETION = 0;

    private final @Nullable EventSource[] sources;
    private final int[] kinds;
    private final int mask;
    private final AtomicInteger head = new AtomicInteger();
    private final AtomicInteger tail = new AtomicInteger();
    private final Runnable interrupt;
    private boolean raise;
    private @Nullable EventSource takenSource;
    private int takenKind;

    /**
     * @param capacity power of two
     * @param interrupt called by {@link #flush} when something was queued
     */
    public EventQueue(int capacity, Runnable interrupt) {
        this.sources = new EventSource[capacity];
        this.kinds = new int[capacity];
        this.mask = capacity - 1;
        this.interrupt = interrupt;
    }

    /**
     * Queues an event unless the same one waits. Engine thread.
     *
     * @return false if the queue is full and the event is lost
     */
    public boolean offer(EventSource source, int kind) {
        if (!source.begin(kind)) {
            return true;
        }
        int slot = tail.getPlain();
        if (slot - head.getAcquire() > mask) {
            source.end(kind);
            return false;
        }
        sources[slot & mask] = source;
        kinds[slot & mask] = kind;
        tail.setRelease(slot + 1);
        raise = true;
        return true;
    }

    /** Interrupts the reader once for all that was queued since the last call. Engine thread. */
    public void flush() {
        if (raise) {
            raise = false;
            interrupt.run();
        }
    }

    /** Takes the next event. Reader thread. */
    public boolean next() {
        int slot = head.getPlain();
        if (slot == tail.getAcquire()) {
            return false;
        }
        EventSource source = sources[slot & mask];
        if (source == null) {
            throw new IllegalStateException("event queue slot " + slot + " is empty");
        }
        takenSource = source;
        takenKind = kinds[slot & mask];
        sources[slot & mask] = null;
        head.setRelease(slot + 1);
        source.end(takenKind);
        return true;
    }

    /** Source of the event taken last. Reader thread. */
    public EventSource source() {
        if (takenSource == null) {
            throw new IllegalStateException("no event was taken");
        }
        return takenSource;
    }

    /** Kind of the event taken last. Reader thread. */
    public int kind() {
        return takenKind;
    }
}
