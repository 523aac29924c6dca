package io.hyperverbs.verbs;

/**
 * Every answer the system gives: completion statuses ({@code ibv_wc_status}, codes 0 to 23) and
 * control-verb errors (codes 100 + errno). One enum for API, CQE, messages and journal; a code is
 * never reused.
 */
public enum VerbsStatus {
    SUCCESS(0, "success"),
    LOC_LEN_ERR(1, "local length error"),
    LOC_QP_OP_ERR(2, "local QP operation error"),
    LOC_EEC_OP_ERR(3, "local EE context operation error"),
    LOC_PROT_ERR(4, "local protection error"),
    WR_FLUSH_ERR(5, "work request flushed error"),
    MW_BIND_ERR(6, "memory window bind error"),
    BAD_RESP_ERR(7, "bad response error"),
    LOC_ACCESS_ERR(8, "local access error"),
    REM_INV_REQ_ERR(9, "remote invalid request error"),
    REM_ACCESS_ERR(10, "remote access error"),
    REM_OP_ERR(11, "remote operation error"),
    RETRY_EXC_ERR(12, "transport retry counter exceeded"),
    RNR_RETRY_EXC_ERR(13, "RNR retry counter exceeded"),
    LOC_RDD_VIOL_ERR(14, "local RDD violation error"),
    REM_INV_RD_REQ_ERR(15, "remote invalid RD request"),
    REM_ABORT_ERR(16, "remote aborted error"),
    INV_EECN_ERR(17, "invalid EE context number"),
    INV_EEC_STATE_ERR(18, "invalid EE context state"),
    FATAL_ERR(19, "fatal error"),
    RESP_TIMEOUT_ERR(20, "response timeout error"),
    GENERAL_ERR(21, "general error"),
    EPERM(101, "operation not permitted"),
    ENOENT(102, "no such object"),
    EINTR(104, "interrupted"),
    EIO(105, "device or channel failed"),
    EAGAIN(111, "quota reached"),
    ENOMEM(112, "out of resources"),
    EFAULT(114, "bad frame"),
    EBUSY(116, "object is in use"),
    EINVAL(122, "invalid argument"),
    ENOSPC(128, "no space left"),
    ENOSYS(138, "not supported"),
    ECONNRESET(204, "connection reset by peer"),
    ETIMEDOUT(210, "timed out"),
    ECONNREFUSED(211, "connection refused");

    private static final VerbsStatus[] BY_CODE = new VerbsStatus[256];

    static {
        for (VerbsStatus status : values()) {
            BY_CODE[status.code] = status;
        }
    }

    private final int code;
    private final String text;

    VerbsStatus(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** The number in CQEs, messages and journal records. */
    public int code() {
        return code;
    }

    /** The words that {@code ibv_wc_status_str} would print. */
    public String text() {
        return text;
    }

    /**
     * Returns the status with that code; an unknown code is {@link #GENERAL_ERR}. Allocates
     * nothing.
     */
    public static VerbsStatus of(int code) {
        VerbsStatus status = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
        return status == null ? GENERAL_ERR : status;
    }
}
