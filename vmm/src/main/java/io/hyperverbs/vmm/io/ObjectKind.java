package io.hyperverbs.vmm.io;

/** What a handle names; ordinals travel in messages. */
public enum ObjectKind {
    CONTEXT,
    PD,
    REGION,
    RING,
    CQ,
    QP
}
