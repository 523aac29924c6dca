package io.hyperverbs.verbs.cm;

import io.hyperverbs.verbs.QpType;

/**
 * How one side describes its queue pair to the other, in a REQ, a REP or a SIDR_REP (IBA 12.6.5, 12.6.8, 12.11.2). A
 * SIDR_REQ describes none: of its fields only the type is not 0.
 *
 * @param type transport of the queue pair, RC or UC; the peer's must be the same (IBA 12.6.5,
 *     transport service type). UD in SIDR_REQ and SIDR_REP
 * @param qpn queue pair number, 24 bits
 * @param psn first packet sequence number it will send, 24 bits
 * @param responderResources reads and atomics it can answer at a time
 * @param initiatorDepth reads and atomics it wants to have outstanding
 * @param retryCount transport retries, 0 to 7
 * @param rnrRetryCount RNR retries asked of the peer, 0 to 7
 * @param ackTimeout code: 4.096 us x 2^n, 0 to 31
 * @param qkey of datagrams to it, in a SIDR_REP; else 0
 */
public record CmOffer(
        QpType type,
        int qpn,
        int psn,
        int responderResources,
        int initiatorDepth,
        int retryCount,
        int rnrRetryCount,
        int ackTimeout,
        int qkey) {

    /** Of a queue pair that connects. */
    public CmOffer(
            QpType type,
            int qpn,
            int psn,
            int responderResources,
            int initiatorDepth,
            int retryCount,
            int rnrRetryCount,
            int ackTimeout) {
        this(type, qpn, psn, responderResources, initiatorDepth, retryCount, rnrRetryCount, ackTimeout, 0);
    }

    /** Of a queue pair that takes datagrams; both numbers are 0 in a SIDR_REQ. */
    public static CmOffer ofDatagrams(int qpn, int qkey) {
        return new CmOffer(QpType.UD, qpn, 0, 0, 0, 0, 0, 0, qkey);
    }
}
