package io.hyperverbs.verbs;

/** Logical state of a port ({@code ibv_port_state}). */
public enum PortState {
    DOWN(1),
    INIT(2),
    ARMED(3),
    ACTIVE(4);

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The state with that code; an unknown code is {@link #DOWN}. */
    public static PortState of(int code) {
        for (PortState state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        return DOWN;
    }
}
