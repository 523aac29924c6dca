package io.hyperverbs.backend.cm;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.DreqLayout;
import io.hyperverbs.backend.mad.MraLayout;
import io.hyperverbs.backend.mad.RejLayout;
import io.hyperverbs.backend.mad.RepLayout;
import io.hyperverbs.backend.mad.RtuLayout;
import io.hyperverbs.backend.mad.SidrRepLayout;
import io.hyperverbs.backend.mad.SidrReqLayout;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;

/** All messages of connection management but REQs. Stateless. */
final class AnswerMads {
    private static final int MAD_BYTES = 256;

    private AnswerMads() {}

    static byte[] rep(RemoteEnd end, CmOffer offer, PrivateData data, LocalPort port) {
        byte[] mad = CmMessage.REP.create(MAD_BYTES, end.transactionId);
        RepLayout.LOCAL_COMM_ID.set(mad, end.localId);
        RepLayout.REMOTE_COMM_ID.set(mad, end.remoteId);
        RepLayout.LOCAL_QPN.set(mad, offer.qpn());
        RepLayout.STARTING_PSN.set(mad, offer.psn());
        RepLayout.RESPONDER_RESOURCES.set(mad, offer.responderResources());
        RepLayout.INITIATOR_DEPTH.set(mad, offer.initiatorDepth());
        RepLayout.FAILOVER_ACCEPTED.set(mad, RepLayout.FAILOVER_NOT_SUPPORTED);
        RepLayout.FLOW_CONTROL.set(mad, 1);
        RepLayout.RNR_RETRY_COUNT.set(mad, offer.rnrRetryCount());
        RepLayout.LOCAL_CA_GUID.set(mad, port.caGuid());
        RepLayout.PRIVATE_DATA.set(mad, data);
        return mad;
    }

    /** What a REP says of the queue pair of the passive side; what it does not say is 0. */
    static CmOffer offer(byte[] rep, QpType type) {
        return new CmOffer(
                type,
                RepLayout.LOCAL_QPN.getInt(rep),
                RepLayout.STARTING_PSN.getInt(rep),
                RepLayout.RESPONDER_RESOURCES.getInt(rep),
                RepLayout.INITIATOR_DEPTH.getInt(rep),
                0,
                RepLayout.RNR_RETRY_COUNT.getInt(rep),
                0);
    }

    static byte[] rtu(RemoteEnd end, PrivateData data) {
        return released(CmMessage.RTU, end.transactionId, end.localId, end.remoteId, data);
    }

    static byte[] drep(long transactionId, int localId, int remoteId, PrivateData data) {
        return released(CmMessage.DREP, transactionId, localId, remoteId, data);
    }

    private static byte[] released(CmMessage kind, long transactionId, int localId, int remoteId, PrivateData data) {
        byte[] mad = kind.create(MAD_BYTES, transactionId);
        RtuLayout.LOCAL_COMM_ID.set(mad, localId);
        RtuLayout.REMOTE_COMM_ID.set(mad, remoteId);
        RtuLayout.PRIVATE_DATA.set(mad, data);
        return mad;
    }

    static byte[] dreq(RemoteEnd end, PrivateData data) {
        byte[] mad = CmMessage.DREQ.create(MAD_BYTES, end.transactionId);
        DreqLayout.LOCAL_COMM_ID.set(mad, end.localId);
        DreqLayout.REMOTE_COMM_ID.set(mad, end.remoteId);
        DreqLayout.REMOTE_QPN.set(mad, end.remoteQpn);
        DreqLayout.PRIVATE_DATA.set(mad, data);
        return mad;
    }

    static byte[] mra(RemoteEnd end, CmMessage answered, int serviceTimeout) {
        byte[] mad = CmMessage.MRA.create(MAD_BYTES, end.transactionId);
        MraLayout.LOCAL_COMM_ID.set(mad, end.localId);
        MraLayout.REMOTE_COMM_ID.set(mad, end.remoteId);
        MraLayout.MESSAGE.set(mad, answered.answeredCode());
        MraLayout.SERVICE_TIMEOUT.set(mad, serviceTimeout);
        return mad;
    }

    /**
     * A REJ.
     *
     * @param answered which message it rejects
     * @param information what would have been accepted, or nothing
     */
    static byte[] rej(
            long transactionId,
            int localId,
            int remoteId,
            CmMessage answered,
            RejectReason reason,
            PrivateData information,
            PrivateData data) {
        byte[] mad = CmMessage.REJ.create(MAD_BYTES, transactionId);
        RejLayout.LOCAL_COMM_ID.set(mad, localId);
        RejLayout.REMOTE_COMM_ID.set(mad, remoteId);
        RejLayout.MESSAGE.set(mad, answered.answeredCode());
        RejLayout.ARI_LENGTH.set(mad, information.length());
        RejLayout.REASON.set(mad, reason.code());
        RejLayout.ARI.set(mad, information);
        RejLayout.PRIVATE_DATA.set(mad, data);
        return mad;
    }

    /** No datagram service is found by its id here. */
    static byte[] unsupported(byte[] sidrReq, long transactionId) {
        byte[] mad = CmMessage.SIDR_REP.create(MAD_BYTES, transactionId);
        SidrRepLayout.REQUEST_ID.set(mad, SidrReqLayout.REQUEST_ID.get(sidrReq));
        SidrRepLayout.STATUS.set(mad, SidrRepLayout.UNSUPPORTED);
        SidrRepLayout.SERVICE_ID.set(mad, SidrReqLayout.SERVICE_ID.get(sidrReq));
        return mad;
    }
}
