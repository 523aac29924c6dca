package io.hyperverbs.verbs;

/** State of a queue pair ({@code ibv_qp_state}); codes as in messages and context memory. */
public enum QpState {
    RESET(0),
    INIT(1),
    RTR(2),
    RTS(3),
    SQD(4),
    SQE(5),
    ERR(6);

    private static final QpState[] STATES = values();
    private final int code;

    QpState(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Returns the state with that code, 0 to 6. */
    public static QpState of(int code) {
        return STATES[code];
    }

    /** Whether {@code code} names a state. */
    public static boolean isCode(long code) {
        return code >= 0 && code < STATES.length;
    }
}
