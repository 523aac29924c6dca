package io.hyperverbs.backend.session;

import io.hyperverbs.backend.forwarded.StagedSrq;
import org.jspecify.annotations.Nullable;

/** A shared receive queue; keeps its protection domain alive. */
public final class SrqObject extends SessionObject {
    private final PdObject pd;
    private final int srqn;
    private final int receiveSge;
    private final @Nullable StagedSrq forwarded;
    private final @Nullable PdObject xrcd;
    private final @Nullable CqObject cq;
    private QueueMemory memory;

    /**
     * @param forwarded its data path; null with bypass
     * @param xrcd its XRC domain, or null
     * @param cq where its receives complete with XRC, or null
     */
    public SrqObject(
            PdObject pd,
            int srqn,
            int receiveSge,
            QueueMemory memory,
            @Nullable StagedSrq forwarded,
            @Nullable PdObject xrcd,
            @Nullable CqObject cq) {
        this.xrcd = xrcd;
        this.cq = cq;
        this.pd = pd;
        this.srqn = srqn;
        this.receiveSge = receiveSge;
        this.memory = memory;
        this.forwarded = forwarded;
    }

    public @Nullable PdObject xrcd() {
        return xrcd;
    }

    public @Nullable CqObject cq() {
        return cq;
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

    public @Nullable StagedSrq forwarded() {
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
