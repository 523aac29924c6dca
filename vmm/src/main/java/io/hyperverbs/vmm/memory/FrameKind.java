package io.hyperverbs.vmm.memory;

/** What a machine frame is for; ordinals travel in hypercalls. Only RAM may be registered. */
public enum FrameKind {
    FREE,
    /** A domain's memory. */
    RAM,
    /** RAM that holds a ring of a live queue. */
    QUEUE,
    /** A user access region page. */
    UAR,
    /** Pages the HCA or the VMM reports through. */
    EVENT,
    /** The HCA's on-board memory. */
    CONTEXT
}
