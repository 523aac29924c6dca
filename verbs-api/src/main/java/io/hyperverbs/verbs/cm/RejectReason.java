package io.hyperverbs.verbs.cm;

/** Why a connection was rejected ({@code ib_cm_rej_reason}, IBA 12.6.7); codes as in a REJ. */
public enum RejectReason {
    NONE(0),
    NO_QP(1),
    /** No memory, quota or place in the listener's backlog. */
    NO_RESOURCES(3),
    /** The sender of the REJ waited too long, or withdrew. */
    TIMEOUT(4),
    UNSUPPORTED(5),
    /** The peer knows nothing of the connection (any more). */
    INVALID_COMM_ID(6),
    /** Nobody listens to that service id. */
    INVALID_SERVICE_ID(8),
    INVALID_TRANSPORT_TYPE(9),
    /** The queue pair is still in a connection with that peer, or in its time wait. */
    STALE_CONN(10),
    /** No port or guest of the peer's HCA has that GID, or the caller's is not that of its HCA. */
    INVALID_GID(12),
    /** The peer's port does not take packets of that size. */
    INVALID_MTU(26),
    /** The peer's program said no. */
    CONSUMER_DEFINED(28);

    private final int code;

    RejectReason(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The reason with that code; an unknown code is {@link #UNSUPPORTED}. */
    public static RejectReason of(int code) {
        for (RejectReason reason : values()) {
            if (reason.code == code) {
                return reason;
            }
        }
        return UNSUPPORTED;
    }
}
