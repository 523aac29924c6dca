package io.hyperverbs.toolstack.walk.step;

/** Kinds of objects that can be closed. */
public enum ObjectKind {
    PD,
    CQ,
    REGION,
    QP
}
