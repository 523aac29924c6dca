package io.hyperverbs.frontend.management;

import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.sa.PathRecord;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair on its way into a connection, and what was negotiated for it: of what one side
 * offers and the other wants, the smaller ({@code rdma_init_qp_attr}). For one thread at a time.
 */
final class QpTransitions {
    private final QueuePair qp;
    private final CmParameters parameters;
    private final CmOffer own;
    private final PathRecord path;
    private final int pkeyIndex;
    private final boolean caller;
    private @Nullable CmOffer peer;

    /**
     * Of a queue pair before its connection.
     *
     * @param pkeyIndex of the path's P_Key, which it has if it is in RESET yet
     */
    QpTransitions(QueuePair qp, CmParameters parameters, CmOffer own, PathRecord path, int pkeyIndex, boolean caller) {
        this.qp = qp;
        this.parameters = parameters;
        this.own = own;
        this.path = path;
        this.pkeyIndex = pkeyIndex;
        this.caller = caller;
    }

    CmOffer own() {
        return own;
    }

    QueuePair qp() {
        return qp;
    }

    boolean byLibrary() {
        return parameters.transitions() == CmParameters.Transitions.LIBRARY;
    }

    void peer(CmOffer offer) {
        peer = offer;
    }

    void toInit() throws VerbsException {
        if (qp.query().state() == QpState.RESET) {
            qp.modify(attributes(QpState.INIT));
        }
    }

    void toRts() throws VerbsException {
        toInit();
        qp.modify(attributes(QpState.RTR));
        qp.modify(attributes(QpState.RTS));
    }

    QpAttributes attributes(QpState state) throws VerbsException {
        if (state == QpState.INIT) {
            return QpAttributes.toInit(parameters.access()).with(QpAttribute.PKEY_INDEX, pkeyIndex);
        }
        CmOffer other = peer;
        if (other == null || (state != QpState.RTR && state != QpState.RTS)) {
            throw new VerbsException(VerbsStatus.EINVAL, "no attributes for " + state + " are known");
        }
        return state == QpState.RTR ? toRtr(other) : toRts(other);
    }

    private QpAttributes toRtr(CmOffer other) {
        QpAttributes attributes = QpAttributes.toRtr(
                        new Endpoint(path.destinationLid(), other.qpn(), other.psn(), 0, 0, 0))
                .with(QpAttribute.PATH_MTU, path.mtuBytes());
        if (path.destinationGid().isIpv4()) {
            // Another HCA, which a LID of this topology may not lead to.
            attributes = attributes.withRoute(GlobalRoute.to(path.destinationGid()));
        }
        return reliable()
                ? attributes.with(
                        QpAttribute.MAX_DEST_RD_ATOMIC, Math.min(own.responderResources(), other.initiatorDepth()))
                : attributes.without(QpAttribute.MAX_DEST_RD_ATOMIC).without(QpAttribute.MIN_RNR_TIMER);
    }

    private QpAttributes toRts(CmOffer other) {
        if (!reliable()) {
            return QpAttributes.to(QpState.RTS).with(QpAttribute.SQ_PSN, own.psn());
        }
        return QpAttributes.toRts(own.psn())
                .with(QpAttribute.MAX_QP_RD_ATOMIC, Math.min(own.initiatorDepth(), other.responderResources()))
                .with(QpAttribute.TIMEOUT, own.ackTimeout())
                .with(QpAttribute.RETRY_CNT, caller ? own.retryCount() : other.retryCount())
                .with(QpAttribute.RNR_RETRY, other.rnrRetryCount());
    }

    private boolean reliable() {
        return qp.type() == QpType.RC;
    }
}
