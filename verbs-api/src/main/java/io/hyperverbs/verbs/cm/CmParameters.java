package io.hyperverbs.verbs.cm;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.PrivateData;
import java.time.Duration;
import java.util.Set;

/**
 * What a program asks of a connection ({@code rdma_conn_param}).
 *
 * @param responderResources reads and atomics the peer may have outstanding here, 0 to 16
 * @param initiatorDepth reads and atomics this side wants outstanding, 0 to 16
 * @param retryCount transport retries, 0 to 7; the connecting side's counts for both
 * @param rnrRetryCount RNR retries asked of the peer, 0 to 7
 * @param ackTimeout code of the local ack timeout, 0 to 31
 * @param access what the peer may do through the queue pair
 * @param transitions who moves the queue pair
 * @param responseTimeout how long the peer may take to answer, 1 ms to 60 s
 * @param privateData for the peer's program
 */
public record CmParameters(
        int responderResources,
        int initiatorDepth,
        int retryCount,
        int rnrRetryCount,
        int ackTimeout,
        Set<Access> access,
        Transitions transitions,
        Duration responseTimeout,
        PrivateData privateData) {

    /** Which side's code moves the queue pair to INIT, RTR and RTS. */
    public enum Transitions {
        /** {@code connect}, {@code accept} and the channel do it. */
        LIBRARY,
        /** The program does, with {@link CmConnection#attributes}. */
        PROGRAM
    }

    public CmParameters {
        access = Set.copyOf(access);
    }

    /**
     * 16 reads each way, 6 retries, 6 RNR retries (1.155 s: {@link
     * io.hyperverbs.verbs.QpAttributes#toRts}), ack timeout code 14, rights to write locally,
     * transitions by the library, 5 s for the peer, no private data.
     */
    public static CmParameters standard() {
        return new CmParameters(
                16,
                16,
                6,
                6,
                14,
                Set.of(Access.LOCAL_WRITE),
                Transitions.LIBRARY,
                Duration.ofSeconds(5),
                PrivateData.none());
    }

    public CmParameters withReads(int responders, int initiators) {
        return new CmParameters(
                responders,
                initiators,
                retryCount,
                rnrRetryCount,
                ackTimeout,
                access,
                transitions,
                responseTimeout,
                privateData);
    }

    public CmParameters withRetries(int retries, int rnrRetries, int ackTimeoutCode) {
        return new CmParameters(
                responderResources,
                initiatorDepth,
                retries,
                rnrRetries,
                ackTimeoutCode,
                access,
                transitions,
                responseTimeout,
                privateData);
    }

    public CmParameters withAccess(Set<Access> rights) {
        return new CmParameters(
                responderResources,
                initiatorDepth,
                retryCount,
                rnrRetryCount,
                ackTimeout,
                rights,
                transitions,
                responseTimeout,
                privateData);
    }

    public CmParameters withTransitions(Transitions by) {
        return new CmParameters(
                responderResources,
                initiatorDepth,
                retryCount,
                rnrRetryCount,
                ackTimeout,
                access,
                by,
                responseTimeout,
                privateData);
    }

    public CmParameters withResponseTimeout(Duration timeout) {
        return new CmParameters(
                responderResources,
                initiatorDepth,
                retryCount,
                rnrRetryCount,
                ackTimeout,
                access,
                transitions,
                timeout,
                privateData);
    }

    public CmParameters withPrivateData(PrivateData data) {
        return new CmParameters(
                responderResources,
                initiatorDepth,
                retryCount,
                rnrRetryCount,
                ackTimeout,
                access,
                transitions,
                responseTimeout,
                data);
    }
}
