package io.hyperverbs.backend.session;

import io.hyperverbs.backend.forwarded.ForwardedCq;
import org.jspecify.annotations.Nullable;

/** A completion queue. */
public final class CqObject extends SessionObject {
    private final ContextObject context;
    private final int number;
    private final boolean wantsEvents;
    private final @Nullable ForwardedCq forwarded;
    private int entries;
    private QueueMemory memory;

    /**
     * @param number the HCA's
     * @param entries power of two
     * @param wantsEvents whether it has a completion channel
     * @param forwarded its data path; null with bypass
     */
    public CqObject(
            ContextObject context,
            int number,
            int entries,
            boolean wantsEvents,
            QueueMemory memory,
            @Nullable ForwardedCq forwarded) {
        this.context = context;
        this.number = number;
        this.entries = entries;
        this.wantsEvents = wantsEvents;
        this.memory = memory;
        this.forwarded = forwarded;
    }

    public ContextObject context() {
        return context;
    }

    public int number() {
        return number;
    }

    public int entries() {
        return entries;
    }

    public boolean wantsEvents() {
        return wantsEvents;
    }

    public QueueMemory memory() {
        return memory;
    }

    /** It was resized into other memory. */
    public void resized(int newEntries, QueueMemory other) {
        entries = newEntries;
        memory = other;
    }

    public @Nullable ForwardedCq forwarded() {
        return forwarded;
    }
}
