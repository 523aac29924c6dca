package io.hyperverbs.backend.management;

import io.hyperverbs.backend.cm.RemoteConnections;
import io.hyperverbs.backend.management.CmObject.Connection;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.vmm.io.ManagementRequest.Connect;
import java.util.concurrent.TimeUnit;

/** What messages of the connection manager may hold (IBA 12.6). Stateless. */
final class ConnectionLimits {
    static final int MAX_BACKLOG = 128;

    /** How long a call from another HCA waits for an answer: longer than any program there does. */
    static final long REMOTE_CALL_NANOS = TimeUnit.SECONDS.toNanos(70);

    private static final long MIN_RESPONSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_RESPONSE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long MIN_TIMEWAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_TIMEWAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_PSN = 0xff_ffff;
    private static final int MAX_COUNT = 7;
    private static final int MAX_ACK_TIMEOUT = 31;

    private ConnectionLimits() {}

    static void check(CmOffer offer, long responseNanos) throws Refusal {
        switch (offer.type()) {
            case RC, UC -> {
                if (offer.qkey() != 0) {
                    throw invalid("a Q_Key, which is of datagrams");
                }
            }
            case UD -> {
                if (!offer.equals(CmOffer.ofDatagrams(offer.qpn(), offer.qkey()))) {
                    throw invalid("datagrams with " + offer + ", must be a queue pair and its Q_Key alone");
                }
            }
            case XRC_SEND, XRC_RECV -> throw invalid(offer.type() + " queue pairs do not connect");
        }
        range("first PSN", offer.psn(), MAX_PSN);
        range("responder resources", offer.responderResources(), HcaLimits.MAX_READ_ATOMIC);
        range("initiator depth", offer.initiatorDepth(), HcaLimits.MAX_READ_ATOMIC);
        range("retry count", offer.retryCount(), MAX_COUNT);
        range("RNR retry count", offer.rnrRetryCount(), MAX_COUNT);
        range("ack timeout", offer.ackTimeout(), MAX_ACK_TIMEOUT);
        if (responseNanos < MIN_RESPONSE_NANOS || responseNanos > MAX_RESPONSE_NANOS) {
            throw invalid("response timeout " + responseNanos + " ns, must be 1 ms to 60 s");
        }
    }

    static void check(String message, PrivateData data, int maxBytes) throws Refusal {
        if (data.length() > maxBytes) {
            throw invalid("private data of " + data.length() + " bytes, a " + message + " has room for " + maxBytes);
        }
    }

    /** What a REQ or, where its queue pair is UD, a SIDR_REQ may hold. */
    static void check(Connection from, Connect request) throws Refusal {
        check(request.offer(), request.responseNanos());
        if (request.offer().type() != QpType.UD) {
            check("REQ", request.data(), reqBytes(from, request.serviceId()));
            return;
        }
        check("SIDR_REQ", request.data(), PrivateData.SIDR_REQ_BYTES);
        if (request.offer().qpn() != 0 || request.offer().qkey() != 0) {
            throw invalid("a SIDR_REQ with a queue pair, which it has no field for");
        }
        if (from.destination instanceof CmParty.Remote) {
            throw new Refusal(VerbsStatus.ENOSYS, "services of datagrams are resolved within an HCA");
        }
    }

    /** How many bytes of private data a REQ of that connection has room for. */
    private static int reqBytes(Connection from, long serviceId) {
        return from.destination instanceof CmParty.Remote
                ? RemoteConnections.roomForData(serviceId)
                : PrivateData.REQ_BYTES;
    }

    /** Twice the time an acknowledgement may take: then no packet of the connection is left. */
    static long timewaitNanos(int ackTimeout) {
        long nanos = ackTimeout == 0 ? MAX_TIMEWAIT_NANOS : 2 * (4096L << ackTimeout);
        return Math.clamp(nanos, MIN_TIMEWAIT_NANOS, MAX_TIMEWAIT_NANOS);
    }

    static Refusal invalid(String words) {
        return new Refusal(VerbsStatus.EINVAL, words);
    }

    private static void range(String what, int value, int max) throws Refusal {
        if (value < 0 || value > max) {
            throw invalid(what + " " + value + ", must be 0 to " + max);
        }
    }
}
