package io.hyperverbs.backend.session;

import io.hyperverbs.backend.forwarded.ForwardedSrq;

import org.jspecify.annotations.Nullable;

/** A shared receive queue; keeps its protection domain alive. */
public final class SrqObject extends SessionObject {
    private final PdObject pd;
    private final int srqn;
    private final int receiveSge;
    private final @Nullable ForwardedSrq forwarded;
    private QueueMemory memory;

    /** {@code forwarded} is its data path; null with bypass. */
    public SrqObject(
            PdObject pd,
            int srqn,
            int receiveSge,
            QueueMemory memory,
            @Nullable ForwardedSrq forwarded) {
        this.pd = pd;
        this.srqn = srqn;
        this.receiveSge = receiveSge;
        this.memory = memory;
        this.forwarded = forwarded;
    }

    public PdObject pd() {
        return pd;
    }

    /** The HCA's number. */
    public int srqn() {
        return srqn;
    }

    public int receiveSge() {
        return receiveSge;
    }

    public @Nullable ForwardedSrq forwarded() {
        return forwarded;
    }

    public QueueMemory memory() {
        return memory;
    }

    /** It was resized into other memory. */
    public void memory(QueueMemory other) {
        memory = other;
    }
}
