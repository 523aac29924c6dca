package io.hyperverbs.verbs;

import java.util.Arrays;
import java.util.Optional;

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

    /** The transport with that code; empty if there is none. */
    public static Optional<QpType> of(int code) {
        return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }

    /** Whether it is one of the two ends of XRC, which have no receives of their own. */
    public boolean isXrc() {
        return this == XRC_SEND || this == XRC_RECV;
    }
}
