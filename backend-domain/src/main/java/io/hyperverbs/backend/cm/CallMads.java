package io.hyperverbs.backend.cm;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.IpHeaderLayout;
import io.hyperverbs.backend.mad.IpHeaderLayout.Addresses;
import io.hyperverbs.backend.mad.ReqLayout;
import io.hyperverbs.backend.mad.TimeCode;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;

/** REQs from what they say, and back. What comes back is hostile input. Stateless. */
final class CallMads {
    private static final int MAD_BYTES = 256;
    private static final int FIRST_MTU = 128;
    private static final int MAX_MTU_CODE = 5;

    /** Queue pairs 0 and 1 are those of managers. */
    private static final int FIRST_QPN = 2;

    /** 10 Gb/s: no packet is sent slower here, and no rate has no code (IBA 9.11.1). */
    private static final int PACKET_RATE = 3;

    private static final int HOP_LIMIT = 64;
    private static final int FIRST_EPHEMERAL_PORT = 0xc000;
    private static final int EPHEMERAL_MASK = 0x3fff;

    private CallMads() {}

    /** How many bytes of private data a REQ to that service id has room for. */
    static int room(long serviceId) {
        return PrivateData.REQ_BYTES - headerBytes(serviceId);
    }

    private static int headerBytes(long serviceId) {
        return IpHeaderLayout.isIpService(serviceId) ? IpHeaderLayout.SIZE_BYTES : 0;
    }

    /** A REQ from {@code end}, which is going to be tried so often. */
    static byte[] req(RemoteEnd end, OutgoingCall call, LocalPort port, int tries) {
        byte[] mad = CmMessage.REQ.create(MAD_BYTES, end.transactionId);
        int waits = TimeCode.atLeast(end.intervalNanos);
        CmOffer offer = call.offer();
        ReqLayout.LOCAL_COMM_ID.set(mad, end.localId);
        ReqLayout.SERVICE_ID.set(mad, call.serviceId());
        ReqLayout.LOCAL_CA_GUID.set(mad, port.caGuid());
        ReqLayout.LOCAL_QPN.set(mad, offer.qpn());
        ReqLayout.RESPONDER_RESOURCES.set(mad, offer.responderResources());
        ReqLayout.INITIATOR_DEPTH.set(mad, offer.initiatorDepth());
        ReqLayout.REMOTE_RESPONSE_TIMEOUT.set(mad, waits);
        ReqLayout.TRANSPORT_SERVICE_TYPE.set(
                mad, offer.type() == QpType.UC ? ReqLayout.UNRELIABLE_CONNECTION : ReqLayout.RELIABLE_CONNECTION);
        ReqLayout.FLOW_CONTROL.set(mad, 1);
        ReqLayout.STARTING_PSN.set(mad, offer.psn());
        ReqLayout.LOCAL_RESPONSE_TIMEOUT.set(mad, waits);
        ReqLayout.RETRY_COUNT.set(mad, offer.retryCount());
        ReqLayout.PKEY.set(mad, call.pkey());
        ReqLayout.PATH_MTU.set(mad, mtuCode(call.mtuBytes()));
        ReqLayout.RNR_RETRY_COUNT.set(mad, offer.rnrRetryCount());
        ReqLayout.MAX_CM_RETRIES.set(mad, tries);
        ReqLayout.PRIMARY_LOCAL_LID.set(mad, port.lid());
        ReqLayout.PRIMARY_REMOTE_LID.set(mad, call.lid());
        ReqLayout.PRIMARY_LOCAL_GID.set(mad, call.caller());
        ReqLayout.PRIMARY_REMOTE_GID.set(mad, call.callee());
        ReqLayout.PRIMARY_PACKET_RATE.set(mad, PACKET_RATE);
        ReqLayout.PRIMARY_HOP_LIMIT.set(mad, HOP_LIMIT);
        ReqLayout.PRIMARY_ACK_TIMEOUT.set(mad, offer.ackTimeout());
        if (IpHeaderLayout.isIpService(call.serviceId())) {
            int sourcePort = FIRST_EPHEMERAL_PORT | (end.localId & EPHEMERAL_MASK);
            IpHeaderLayout.set(mad, new Addresses(sourcePort, call.caller(), call.callee()));
        }
        ReqLayout.PRIVATE_DATA.set(mad, headerBytes(call.serviceId()), call.data());
        return mad;
    }

    /** Why a REQ is not even looked at by anybody; NONE if it can be. */
    static RejectReason refusal(byte[] mad, LocalPort port) {
        int type = ReqLayout.TRANSPORT_SERVICE_TYPE.getInt(mad);
        if (type != ReqLayout.RELIABLE_CONNECTION && type != ReqLayout.UNRELIABLE_CONNECTION) {
            return RejectReason.INVALID_TRANSPORT_TYPE;
        }
        if (ReqLayout.LOCAL_QPN.getInt(mad) < FIRST_QPN) {
            return RejectReason.NO_QP;
        }
        int mtu = ReqLayout.PATH_MTU.getInt(mad);
        if (mtu < 1 || mtu > MAX_MTU_CODE || mtuBytes(mtu) > port.mtuBytes()) {
            return RejectReason.INVALID_MTU;
        }
        long serviceId = ReqLayout.SERVICE_ID.get(mad);
        return IpHeaderLayout.isIpService(serviceId) && IpHeaderLayout.get(mad) == null
                ? RejectReason.INVALID_SERVICE_ID
                : RejectReason.NONE;
    }

    /** What a REQ says, for which there is no {@link #refusal}. */
    static IncomingCall call(byte[] mad, int address) {
        long serviceId = ReqLayout.SERVICE_ID.get(mad);
        CmOffer offer = new CmOffer(
                ReqLayout.TRANSPORT_SERVICE_TYPE.getInt(mad) == ReqLayout.UNRELIABLE_CONNECTION ? QpType.UC : QpType.RC,
                ReqLayout.LOCAL_QPN.getInt(mad),
                ReqLayout.STARTING_PSN.getInt(mad),
                ReqLayout.RESPONDER_RESOURCES.getInt(mad),
                ReqLayout.INITIATOR_DEPTH.getInt(mad),
                ReqLayout.RETRY_COUNT.getInt(mad),
                ReqLayout.RNR_RETRY_COUNT.getInt(mad),
                ReqLayout.PRIMARY_ACK_TIMEOUT.getInt(mad));
        return new IncomingCall(
                address,
                ReqLayout.PRIMARY_LOCAL_GID.get(mad),
                ReqLayout.PRIMARY_REMOTE_GID.get(mad),
                serviceId,
                offer,
                ReqLayout.PKEY.getInt(mad),
                mtuBytes(ReqLayout.PATH_MTU.getInt(mad)),
                ReqLayout.PRIVATE_DATA.get(mad, headerBytes(serviceId)));
    }

    /** Code of an MTU: 1 is 256 bytes, 5 is 4096. */
    static int mtuCode(int mtuBytes) {
        return Integer.numberOfTrailingZeros(mtuBytes / FIRST_MTU);
    }

    static int mtuBytes(int code) {
        return FIRST_MTU << code;
    }
}
