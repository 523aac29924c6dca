package io.hyperverbs.verbs;

/**
 * One attribute of a queue pair ({@code ibv_qp_attr_mask}). All values travel as {@code long};
 * units and ranges are given here once.
 */
public enum QpAttribute {
    /** {@link QpState#code()}. */
    STATE(0),
    /** {@link QpState#code()} the caller believes current. */
    CUR_STATE(1),
    /** 1: raise SQ_DRAINED when the send queue has drained. */
    EN_SQD_ASYNC_NOTIFY(2),
    /** {@link Access#mask}: what peers may do through this QP. */
    ACCESS_FLAGS(3),
    /** Index into the port's P_Key table. */
    PKEY_INDEX(4),
    /** Port number, from 1. */
    PORT(5),
    QKEY(6),
    /** Address vector: destination LID, 16 bits; 0 if {@link QpAttributes#route} alone says where to. */
    AV(7),
    /** Bytes: 256, 512, 1024, 2048 or 4096. */
    PATH_MTU(8),
    /** Local ack timeout: 4.096 us x 2^n, after waits in vain twice and four times that; 0 is for ever; 0 to 31. */
    TIMEOUT(9),
    /** Transport retries, 0 to 7; 7 is for ever. */
    RETRY_CNT(10),
    /** RNR retries, 0 to 7; 7 is for ever. */
    RNR_RETRY(11),
    /** First packet sequence number expected, 24 bits. */
    RQ_PSN(12),
    /** Reads and atomics outstanding as requester. */
    MAX_QP_RD_ATOMIC(13),
    /** RNR delay asked of requesters, 5-bit code. */
    MIN_RNR_TIMER(15),
    /** First packet sequence number sent, 24 bits. */
    SQ_PSN(16),
    /** Reads and atomics accepted as responder. */
    MAX_DEST_RD_ATOMIC(17),
    /** Peer's queue pair number, 24 bits. */
    DEST_QPN(20);

    private final int bitNumber;

    QpAttribute(int bitNumber) {
        this.bitNumber = bitNumber;
    }

    /** The attribute's bit in {@code ibv_qp_attr_mask}. */
    public int bit() {
        return 1 << bitNumber;
    }

    /** The attribute's number in messages: the position of its bit. */
    public int bitNumber() {
        return bitNumber;
    }
}
