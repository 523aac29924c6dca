package io.hyperverbs.lab.walk.model;

import static io.hyperverbs.verbs.VerbsStatus.LOC_LEN_ERR;
import static io.hyperverbs.verbs.VerbsStatus.LOC_PROT_ERR;
import static io.hyperverbs.verbs.VerbsStatus.LOC_QP_OP_ERR;

import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion.Opcode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Unreliable datagrams by the specification. Each names where it goes; a receive begins with room
 * for a global routing header, which is left as it was where there is none.
 */
final class Datagrams {
    private static final int PSN_MASK = 0xff_ffff;

    private final HcaFacts hca;
    private final DomainLids lids;
    private final ModelTransfers transfers;
    private final Outcomes outcomes;

    Datagrams(HcaFacts hca, DomainLids lids, ModelTransfers transfers, Outcomes outcomes) {
        this.hca = hca;
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
        Set<VerbsStatus> faults = faults(qp, send);
        ModelAh ah = send.ah;
        if (!faults.isEmpty() || ah == null) {
            outcomes.failSend(qp, faults);
            return true;
        }
        qp.sendPsn = qp.sendPsn + 1 & PSN_MASK;
        outcomes.sent(qp, Opcode.SEND, -1);
        ModelQp receiver = send.receiver;
        int asked = send.request.remote().length();
        // The high bit asks for the sender's own.
        long qkey = asked < 0 ? qp.value(QpAttribute.QKEY) : asked;
        if (receiver != null
                && ah.lid == lids.of(receiver)
                && receiver.type == QpType.UD
                && receiver.listens()
                && receiver.value(QpAttribute.QKEY) == qkey
                && !receiver.receives.isEmpty()) {
            arrives(qp, receiver, send);
        }
        return true;
    }

    private Set<VerbsStatus> faults(ModelQp qp, ModelSend send) {
        if (!send.verb().isDatagram()) {
            return EnumSet.of(LOC_QP_OP_ERR);
        }
        Set<VerbsStatus> faults = transfers.localFaults(qp, send);
        if (send.lengthBytes() > hca.activeMtuBytes()) {
            faults.add(LOC_LEN_ERR);
        }
        if (send.ah == null || !send.ah.isAlive() || send.ah.pd != qp.pd) {
            faults.add(LOC_QP_OP_ERR);
        }
        return faults;
    }

    private void arrives(ModelQp from, ModelQp receiver, ModelSend send) {
        ModelReceive receive = receiver.receives.element();
        long length = Grh.SIZE_BYTES + send.lengthBytes();
        if (length > receive.lengthBytes()) {
            // Dropped; the receive waits for one that it has room for (docs/deviations.md).
            return;
        }
        if (!ModelTransfers.servesReached(receive, receiver, length)) {
            transfers.leaveOpen(receive.pieces(), receiver.receivePd());
            outcomes.failReceive(receiver, LOC_PROT_ERR);
            return;
        }
        List<Span> behind = behindHeader(receive.pieces());
        // What stands in front of a datagram that came without a header is not specified.
        transfers.leaveOpen(header(receive.pieces(), behind), receiver.receivePd());
        transfers.lands(receiver, send, behind, length, from);
    }

    private static List<Span> header(List<Span> pieces, List<Span> behind) {
        List<Span> header = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i++) {
            header.add(
                    pieces.get(i).first(pieces.get(i).length() - behind.get(i).length()));
        }
        return header;
    }

    private static List<Span> behindHeader(List<Span> pieces) {
        List<Span> behind = new ArrayList<>();
        int left = Grh.SIZE_BYTES;
        for (Span piece : pieces) {
            int skipped = Math.min(left, piece.length());
            behind.add(new Span(piece.key(), piece.offset() + skipped, piece.length() - skipped));
            left -= skipped;
        }
        return behind;
    }
}
