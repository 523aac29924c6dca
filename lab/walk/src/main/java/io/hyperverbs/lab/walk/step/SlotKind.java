package io.hyperverbs.lab.walk.step;

import java.util.List;

/** Kinds of objects that can be closed. */
public enum SlotKind {
    PD,
    CQ,
    REGION,
    WINDOW,
    SRQ,
    AH,
    QP;

    /** An order in which all can be closed. */
    public static final List<SlotKind> CHILDREN_FIRST = List.of(QP, AH, SRQ, WINDOW, REGION, CQ, PD);
}
