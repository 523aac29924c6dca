package io.hyperverbs.vmm.memory;

/** What a machine frame is for; codes travel in hypercalls. Only RAM may be registered. */
public enum FrameKind {
    FREE(0),
    /** A domain's memory. */
    RAM(1),
    /** RAM that holds a ring of a live queue. */
    QUEUE(2),
    /** A user access region page. */
    UAR(3),
    /** Pages the HCA or the VMM reports through. */
    EVENT(4),
    /** The HCA's on-board memory. */
    CONTEXT(5);

    private final int code;

    FrameKind(int code) {
        this.code = code;
    }

    /** The number in messages. */
    public int code() {
        return code;
    }
}
