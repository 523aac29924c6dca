package io.hyperverbs.lab.walk.model;

import static io.hyperverbs.verbs.VerbsStatus.LOC_ACCESS_ERR;
import static io.hyperverbs.verbs.VerbsStatus.LOC_PROT_ERR;
import static io.hyperverbs.verbs.VerbsStatus.REM_ACCESS_ERR;
import static io.hyperverbs.verbs.VerbsStatus.REM_INV_REQ_ERR;
import static io.hyperverbs.verbs.VerbsStatus.REM_OP_ERR;
import static io.hyperverbs.verbs.VerbsStatus.RETRY_EXC_ERR;
import static io.hyperverbs.verbs.VerbsStatus.RNR_RETRY_EXC_ERR;

import io.hyperverbs.lab.conformance.access.AccessOracle;
import io.hyperverbs.lab.conformance.access.AccessOracle.Verdict;
import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion.Opcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A reliable connection by the specification: what becomes of the request at the head of a send
 * queue, in the order of its checks. Nothing is lost on the way, so what waits, waits for its peer.
 */
final class ReliableTransport {
    private static final int FOR_EVER = 7;
    private static final int PSN_MASK = 0xff_ffff;

    private final DomainLids lids;
    private final ModelTransfers transfers;
    private final ModelMemory memory;
    private final Outcomes outcomes;

    ReliableTransport(DomainLids lids, ModelTransfers transfers, ModelMemory memory, Outcomes outcomes) {
        this.lids = lids;
        this.transfers = transfers;
        this.memory = memory;
        this.outcomes = outcomes;
    }

    /**
     * Tries the request at the head.
     *
     * @return whether it has ended; false if there is none or it waits
     */
    boolean step(ModelQp qp) {
        ModelSend send = qp.sends.peek();
        if (send == null || qp.state != QpState.RTS) {
            return false;
        }
        Set<VerbsStatus> local = transfers.localFaults(qp, send);
        if (!local.isEmpty()) {
            outcomes.failSend(qp, local);
            return true;
        }
        if (send.verb().isWindowWork()) {
            transfers.changeWindow(qp, send);
            return true;
        }
        ModelQp peer = qp.peer;
        if (peer == null || qp.value(QpAttribute.AV) != lids.of(peer) || !hears(peer, qp)) {
            return waitsOrFails(qp, QpAttribute.RETRY_CNT, RETRY_EXC_ERR);
        }
        if (peer.state == QpState.RTR && !peer.heardOf) {
            peer.heardOf = true;
            outcomes.event(peer, AsyncEvent.Type.COMM_EST);
        }
        return arrives(qp, peer, send);
    }

    private boolean hears(ModelQp peer, ModelQp from) {
        if (!peer.listens() || peer.peer != from || peer.type != QpType.RC) {
            return false;
        }
        // Nothing is lost or repeated for good: another PSN is of another life.
        return from.sendPsn == peer.receivePsn && peer.value(QpAttribute.AV) == lids.of(from);
    }

    private boolean waitsOrFails(ModelQp qp, QpAttribute counter, VerbsStatus status) {
        if (qp.value(counter) == FOR_EVER) {
            return false;
        }
        outcomes.failSend(qp, status);
        return true;
    }

    private boolean arrives(ModelQp qp, ModelQp peer, ModelSend send) {
        StepVerb verb = send.verb();
        Verdict verdict = verdict(peer, send, verb.isSend() || send.remote.isOpen(peer, verb.right()));
        boolean misaligned = verb.isAtomic() && (send.remote.offset() & 7) != 0;
        boolean tooDeep = verb.returnsData() && peer.value(QpAttribute.MAX_DEST_RD_ATOMIC) == 0;
        if (verdict.event() == AsyncEvent.Type.QP_REQ_ERR || misaligned || tooDeep) {
            refuse(qp, peer, REM_INV_REQ_ERR, AsyncEvent.Type.QP_REQ_ERR);
            return true;
        }
        if (verb.takesReceive() && peer.receives.isEmpty()) {
            return waitsOrFails(qp, QpAttribute.RNR_RETRY, RNR_RETRY_EXC_ERR);
        }
        if (verb.isSend()) {
            message(qp, peer, send);
            return true;
        }
        if (!verdict.isSuccess()) {
            refuse(qp, peer, verb, verdict);
            return true;
        }
        switch (verb) {
            case WRITE, WRITE_IMM -> write(qp, peer, send);
            case READ -> read(qp, peer, send);
            case SWAP, ADD -> atomic(qp, peer, send);
            case SEND, SEND_IMM, SEND_INV, DATAGRAM, DATAGRAM_IMM, BIND, LOCAL_INV ->
                throw new IllegalStateException(verb + " was handled before");
        }
        return true;
    }

    /** What rights make of a request that is good otherwise. */
    static Verdict verdict(ModelQp peer, ModelSend send, boolean isOpen) {
        StepVerb verb = send.verb();
        int qpRights = (int) peer.value(QpAttribute.ACCESS_FLAGS);
        return AccessOracle.verdict(new AccessOracle.Attempt(verb.right(), verb.takesReceive(), qpRights, isOpen));
    }

    private void refuse(ModelQp qp, ModelQp peer, StepVerb verb, Verdict verdict) {
        AsyncEvent.Type event = Objects.requireNonNull(verdict.event());
        if (verb.takesReceive()) {
            outcomes.event(peer, event);
            outcomes.failBoth(qp, verdict.requester(), peer, Objects.requireNonNull(verdict.receive()));
        } else {
            refuse(qp, peer, verdict.requester(), event);
        }
    }

    /** The responder refuses: both go to ERR, and an event says so there. */
    private void refuse(ModelQp qp, ModelQp peer, VerbsStatus status, AsyncEvent.Type event) {
        outcomes.event(peer, event);
        outcomes.failSend(qp, status);
        outcomes.toErr(peer);
    }

    private void message(ModelQp qp, ModelQp peer, ModelSend send) {
        ModelReceive receive = peer.receives.element();
        long length = send.lengthBytes();
        if (length > receive.lengthBytes()) {
            transfers.leaveOpen(receive.pieces(), peer.receivePd());
            Set<VerbsStatus> there = ModelTransfers.tooLong(receive, peer);
            Set<VerbsStatus> here =
                    there.size() == 1 ? EnumSet.of(REM_INV_REQ_ERR) : EnumSet.of(REM_INV_REQ_ERR, REM_OP_ERR);
            outcomes.failBoth(qp, here, peer, there);
            return;
        }
        if (!ModelTransfers.servesReached(receive, peer, length)) {
            transfers.leaveOpen(receive.pieces(), peer.receivePd());
            Verdict refused = verdict(peer, send, false);
            outcomes.failBoth(qp, refused.requester(), peer, Objects.requireNonNull(refused.receive()));
            return;
        }
        if (send.verb() == StepVerb.SEND_INV && ModelTransfers.ended(send, peer) == null) {
            outcomes.event(peer, AsyncEvent.Type.QP_ACCESS_ERR);
            outcomes.failBoth(qp, REM_ACCESS_ERR, peer, LOC_ACCESS_ERR);
            return;
        }
        transfers.lands(peer, send, receive.pieces(), length, null);
        advance(qp, length);
        advancePeer(qp, peer, length);
        outcomes.sent(qp, Opcode.SEND, -1);
    }

    private void write(ModelQp qp, ModelQp peer, ModelSend send) {
        int length = (int) send.lengthBytes();
        transfers.write(peer, send);
        advance(qp, length);
        advancePeer(qp, peer, length);
        outcomes.sent(qp, Opcode.RDMA_WRITE, -1);
    }

    private void read(ModelQp qp, ModelQp peer, ModelSend send) {
        int length = (int) send.lengthBytes();
        advancePeer(qp, peer, length);
        if (!ModelTransfers.serve(qp.pd, send.pieces, Access.LOCAL_WRITE.bit())) {
            transfers.leaveOpen(send.pieces, qp.pd);
            outcomes.failSend(qp, LOC_PROT_ERR);
            return;
        }
        advance(qp, length);
        memory.scatter(memory.gather(List.of(send.remote)), send.pieces, List.of(send.remote));
        outcomes.sent(qp, Opcode.RDMA_READ, length);
    }

    private void atomic(ModelQp qp, ModelQp peer, ModelSend send) {
        advancePeer(qp, peer, Long.BYTES);
        if (!ModelTransfers.serve(qp.pd, send.pieces, Access.LOCAL_WRITE.bit())) {
            // Whether the peer's word had changed before is not specified.
            memory.leaveOpen(send.remote);
            transfers.leaveOpen(send.pieces, qp.pd);
            outcomes.failSend(qp, LOC_PROT_ERR);
            return;
        }
        advance(qp, Long.BYTES);
        short[] old = memory.gather(List.of(send.remote));
        boolean add = send.verb() == StepVerb.ADD;
        change(send, add);
        memory.scatter(old, send.pieces, List.of(send.remote));
        if (send.pieces.stream().anyMatch(send.remote::overlaps)) {
            memory.leaveOpen(send.remote);
        }
        outcomes.sent(qp, add ? Opcode.FETCH_ADD : Opcode.COMP_SWAP, Long.BYTES);
    }

    private void change(ModelSend send, boolean add) {
        Long word = memory.word(send.remote.offset());
        if (word == null) {
            memory.leaveOpen(send.remote);
        } else if (add) {
            memory.word(send.remote.offset(), word + send.request.first());
        } else if (word == send.request.first()) {
            memory.word(send.remote.offset(), send.request.second());
        }
    }

    /** A message takes one PSN for each packet, and one if it is empty. */
    private static void advance(ModelQp qp, long length) {
        qp.sendPsn = qp.sendPsn + ModelTransfers.packets(qp, length) & PSN_MASK;
    }

    private static void advancePeer(ModelQp qp, ModelQp peer, long length) {
        peer.receivePsn = peer.receivePsn + ModelTransfers.packets(qp, length) & PSN_MASK;
    }
}
