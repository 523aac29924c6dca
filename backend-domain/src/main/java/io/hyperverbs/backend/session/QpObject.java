package io.hyperverbs.backend.session;

import io.hyperverbs.backend.forwarded.ForwardedQp;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A queue pair; keeps its protection domain and queues alive. */
public final class QpObject extends SessionObject {
    private final PdObject pd;
    private final CqObject sendCq;
    private final CqObject receiveCq;
    private final int qpn;
    private final QueueMemory memory;
    private final @Nullable ForwardedQp forwarded;
    private final @Nullable SrqObject srq;

    private final Set<Attachment> attachments = new LinkedHashSet<>();

    /**
     * @param forwarded its data path; null with bypass
     * @param srq where its receives come from; null: its own queue
     */
    public QpObject(
            PdObject pd,
            CqObject sendCq,
            CqObject receiveCq,
            int qpn,
            QueueMemory memory,
            @Nullable ForwardedQp forwarded,
            @Nullable SrqObject srq) {
        this.pd = pd;
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
        this.qpn = qpn;
        this.memory = memory;
        this.forwarded = forwarded;
        this.srq = srq;
    }

    public @Nullable SrqObject srq() {
        return srq;
    }

    public PdObject pd() {
        return pd;
    }

    public CqObject sendCq() {
        return sendCq;
    }

    public CqObject receiveCq() {
        return receiveCq;
    }

    public int qpn() {
        return qpn;
    }

    /** Multicast groups it is attached to; each counts as a reference. */
    public Set<Attachment> attachments() {
        return attachments;
    }

    public QueueMemory memory() {
        return memory;
    }

    public @Nullable ForwardedQp forwarded() {
        return forwarded;
    }
}
