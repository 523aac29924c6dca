package io.hyperverbs.lab.walk.model;

import static io.hyperverbs.verbs.VerbsStatus.LOC_PROT_ERR;
import static io.hyperverbs.verbs.VerbsStatus.LOC_QP_OP_ERR;

import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion.Opcode;
import java.util.Set;

/**
 * An unreliable connection by the specification. Nothing is answered: what the responder drops, the
 * requester does not hear of. A message that is dropped keeps the receive it would have taken.
 */
final class UnreliableConnection {
    private static final int PSN_MASK = 0xff_ffff;

    private final DomainLids lids;
    private final ModelTransfers transfers;
    private final Outcomes outcomes;

    UnreliableConnection(DomainLids lids, ModelTransfers transfers, Outcomes outcomes) {
        this.lids = lids;
        this.transfers = transfers;
        this.outcomes = outcomes;
    }

    /**
     * Does the request at the head.
     *
     * @return false if there is none
     */
    boolean step(ModelQp qp) {
        ModelSend send = qp.sends.peek();
        if (send == null || qp.state != QpState.RTS) {
            return false;
        }
        StepVerb verb = send.verb();
        if (verb.returnsData()) {
            outcomes.failSend(qp, LOC_QP_OP_ERR);
            return true;
        }
        Set<VerbsStatus> local = transfers.localFaults(qp, send);
        if (!local.isEmpty()) {
            outcomes.failSend(qp, local);
            return true;
        }
        if (verb.isWindowWork()) {
            transfers.changeWindow(qp, send);
            return true;
        }
        // It ends when it has left: what becomes of it may be the end of this queue pair too.
        qp.sendPsn = qp.sendPsn + ModelTransfers.packets(qp, send.lengthBytes()) & PSN_MASK;
        outcomes.sent(qp, verb.isSend() ? Opcode.SEND : Opcode.RDMA_WRITE, -1);
        ModelQp peer = qp.peer;
        if (peer != null && qp.value(QpAttribute.AV) == lids.of(peer) && hears(peer, qp)) {
            arrives(peer, send);
        }
        return true;
    }

    /** Whatever PSN comes is the next one. */
    private boolean hears(ModelQp peer, ModelQp from) {
        return peer.type == QpType.UC
                && peer.listens()
                && peer.peer == from
                && peer.value(QpAttribute.AV) == lids.of(from);
    }

    private void arrives(ModelQp peer, ModelSend send) {
        if (peer.state == QpState.RTR && !peer.heardOf) {
            peer.heardOf = true;
            outcomes.event(peer, AsyncEvent.Type.COMM_EST);
        }
        StepVerb verb = send.verb();
        boolean noReceive = verb.takesReceive() && peer.receives.isEmpty();
        if (verb.isSend()) {
            if (!noReceive) {
                message(peer, send);
            }
            return;
        }
        boolean isOpen = send.remote.isOpen(peer, verb.right());
        if (noReceive || !ReliableTransport.verdict(peer, send, isOpen).isSuccess()) {
            return;
        }
        transfers.write(peer, send);
    }

    private void message(ModelQp peer, ModelSend send) {
        ModelReceive receive = peer.receives.element();
        long length = send.lengthBytes();
        if (length > receive.lengthBytes()) {
            transfers.leaveOpen(receive.pieces(), peer.receivePd());
            outcomes.failReceive(peer, ModelTransfers.tooLong(receive, peer));
            return;
        }
        if (!ModelTransfers.servesReached(receive, peer, length)) {
            transfers.leaveOpen(receive.pieces(), peer.receivePd());
            outcomes.failReceive(peer, LOC_PROT_ERR);
            return;
        }
        if (send.verb() != StepVerb.SEND_INV || ModelTransfers.ended(send, peer) != null) {
            transfers.lands(peer, send, receive.pieces(), length, null);
        }
    }
}
