package io.hyperverbs.verbs;

/** Transport of a queue pair ({@code ibv_qp_type}); codes as in messages and context memory. */
public enum QpType {
    RC(2),
    UC(3),
    UD(4),
    XRC_SEND(9),
    XRC_RECV(10);

    private final int code;

    QpType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Whether it is one of the two ends of XRC, which have no receives of their own. */
    public boolean isXrc() {
        return this == XRC_SEND || this == XRC_RECV;
    }
}
