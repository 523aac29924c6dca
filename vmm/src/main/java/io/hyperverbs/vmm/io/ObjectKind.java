package io.hyperverbs.vmm.io;

/** What a handle names; codes travel in messages. */
public enum ObjectKind {
    CONTEXT(0),
    PD(1),
    REGION(2),
    RING(3),
    CQ(4),
    QP(5),
    SRQ(6),
    WINDOW(7),
    AH(8);

    private final int code;

    ObjectKind(int code) {
        this.code = code;
    }

    /** The number in messages. */
    public int code() {
        return code;
    }
}
