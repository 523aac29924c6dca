package io.hyperverbs.verbs;

/** Which check a failed work request did not pass ({@code vendor_err}); codes as in CQEs. */
public enum VendorError {
    NONE(0, ""),
    UNKNOWN_OPCODE(1, "opcode not known to this transport"),
    TOO_MANY_SEGMENTS(2, "more segments than the queue pair was created with"),
    INLINE_TOO_LONG(3, "inline data longer than the queue pair was created with"),
    INLINE_NOT_ALLOWED(4, "inline data on an operation that reads"),
    MESSAGE_TOO_LONG(5, "message longer than the port allows"),
    ATOMIC_LENGTH(6, "atomic result buffer is not 8 bytes"),
    ATOMIC_MISALIGNED(7, "atomic address is not a multiple of 8"),
    KEY_NOT_IN_PD(8, "not a key of PD"),
    KEY_RANGE(9, "outside the region of that key"),
    KEY_RIGHTS(10, "region lacks the right"),
    QP_RIGHTS(11, "operation not enabled on the responder QP"),
    RECEIVE_TOO_SMALL(12, "receive buffer smaller than the message"),
    RECEIVE_MALFORMED(13, "malformed receive request at the responder"),
    RECEIVE_PROTECTION(14, "receive buffer failed its protection check"),
    NO_RECEIVE(15, "no receive was posted within the RNR retries"),
    PEER_SILENT(16, "peer absent or not ready to receive within the retries"),
    FLUSHED(17, "queue pair is in ERR"),
    READ_DEPTH(18, "more reads and atomics than the responder accepts"),
    REVOKED(19, "memory was deregistered during the copy"),
    CQ_OVERRUN(20, "completion queue is full"),
    RING_OVERRUN(21, "producer index beyond the ring"),
    ENGINE_FAULT(22, "the HCA failed on this work request"),
    PORT_DOWN(23, "the port of the queue pair is down"),
    WINDOW_NOT_IN_PD(24, "not a window of the PD"),
    WINDOW_STATE(25, "window is bound already, or is not bound, or had that key before"),
    WINDOW_FORM(26, "length or rights that no window can have"),
    WINDOW_OF_OTHER_QP(27, "window was bound through another queue pair"),
    NOT_INVALIDATABLE(28, "not a key that a request may invalidate"),
    XRC_QUEUE(29, "no such shared receive queue in the XRC domain"),
    AH_NOT_IN_PD(30, "not an address handle of PD"),
    AH_OTHER_PORT(31, "the address handle is for another port than the queue pair's"),
    REMOTE_NAK(32, "the peer refused it; over a wire it does not say which check failed");

    private static final VendorError[] ERRORS = values();

    private final int code;
    private final String text;

    VendorError(int code, String text) {
        this.code = code;
        this.text = text;
    }

    public int code() {
        return code;
    }

    public String text() {
        return text;
    }

    /**
     * The error with that code; an unknown code is {@link #ENGINE_FAULT}. Codes are dense from 0.
     */
    public static VendorError of(int code) {
        return code >= 0 && code < ERRORS.length ? ERRORS[code] : ENGINE_FAULT;
    }

    String explain(int key, int pd, long address, long lengthBytes) {
        return switch (this) {
            case KEY_NOT_IN_PD -> String.format("key 0x%x is not a key of PD %d", key, pd);
            case KEY_RANGE,
                    KEY_RIGHTS,
                    REVOKED,
                    RECEIVE_PROTECTION,
                    WINDOW_NOT_IN_PD,
                    WINDOW_STATE,
                    WINDOW_FORM,
                    WINDOW_OF_OTHER_QP,
                    NOT_INVALIDATABLE ->
                String.format("%s: key 0x%x, PD %d, address 0x%x, %d bytes", text, key, pd, address, lengthBytes);
            case AH_NOT_IN_PD -> String.format("0x%x is not an address handle of PD %d", key, pd);
            case ATOMIC_MISALIGNED -> String.format("%s: 0x%x", text, address);
            default -> text;
        };
    }
}
