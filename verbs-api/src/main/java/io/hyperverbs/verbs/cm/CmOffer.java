package io.hyperverbs.verbs.cm;

import io.hyperverbs.verbs.QpType;

/**
 * How one side describes its queue pair to the other, in a REQ or a REP (IBA 12.6.5, 12.6.8).
 *
 * @param type transport of the queue pair, RC or UC; the peer's must be the same (IBA 12.6.5,
 *     transport service type)
 * @param qpn queue pair number, 24 bits
 * @param psn first packet sequence number it will send, 24 bits
 * @param responderResources reads and atomics it can answer at a time
 * @param initiatorDepth reads and atomics it wants to have outstanding
 * @param retryCount transport retries, 0 to 7
 * @param rnrRetryCount RNR retries asked of the peer, 0 to 7
 * @param ackTimeout code: 4.096 us x 2^n, 0 to 31
 */
public record CmOffer(
        QpType type,
        int qpn,
        int psn,
        int responderResources,
        int initiatorDepth,
        int retryCount,
        int rnrRetryCount,
        int ackTimeout) {}
