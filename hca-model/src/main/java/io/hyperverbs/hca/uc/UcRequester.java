package io.hyperverbs.hca.uc;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.tpt.WindowTable;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.KeyLockout;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.Preemption;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.transport.UnacknowledgedRequester;
import io.hyperverbs.hca.transport.WindowWork;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import org.jspecify.annotations.Nullable;

/**
 * The requester of UC, for a peer on the same HCA. One {@link #step} moves at most {@link
 * #CHUNK_BYTES}; keys of both sides are checked again before each chunk. What the responder drops
 * is not reported to the requester: its request succeeds all the same.
 */
public final class UcRequester implements UnacknowledgedRequester {
    private static final long CHUNK_BYTES = 64 * 1024;

    private final QpTable qps;
    private final RequestCheck check;
    private final ContextMemory contexts;
    private final UcResponder responder;
    private final Completer completer;
    private final WindowWork windows;
    private final Preemption preemption;
    private final KeyLockout lockout;
    private final Message message = new Message();
    private final SgList local;
    private final CompletionError error = new CompletionError();

    public UcRequester(
            QpTable qps,
            WindowTable windowTable,
            RequestCheck check,
            ContextMemory contexts,
            UcResponder responder,
            Completer completer,
            Preemption preemption,
            KeyLockout lockout) {
        this.qps = qps;
        this.check = check;
        this.contexts = contexts;
        this.responder = responder;
        this.completer = completer;
        this.preemption = preemption;
        this.lockout = lockout;
        this.windows = new WindowWork(windowTable, completer);
        this.local = new SgList(contexts.memory());
    }

    @Override
    public long step(Qp qp) {
        SendQueue sends = qp.sends();
        if (!sends.isBusy()) {
            sends.fetch();
            VerbsStatus status = form(qp);
            if (status != VerbsStatus.SUCCESS) {
                completer.sendFailed(qp, status, error);
                return 0;
            }
            if (WindowWork.isWindowWork(sends.opcode())) {
                windows.run(qp, error);
                return 0;
            }
        }
        message.describe(qp);
        if (!check.local(qp, 0, local, error)) {
            RequestCheck.nameRevoked(qp, error);
            completer.sendFailed(qp, VerbsStatus.LOC_PROT_ERR, error);
            return 0;
        }
        Qp peer = listener(qp);
        if (peer == null) {
            sent(qp);
            Qp missed = responder.takeMissed();
            if (missed != null) {
                lockout.missed(qp, missed);
            }
            return 0;
        }
        long chunk = Math.min(CHUNK_BYTES, sends.lengthBytes() - sends.doneBytes());
        chunk = SgList.copy(local, responder.place(), sends.doneBytes(), chunk, preemption);
        sends.advance(chunk);
        contexts.add(Counter.PORT_XMIT_DATA, chunk);
        if (sends.doneBytes() == sends.lengthBytes()) {
            responder.finish(peer, message);
            sent(qp);
        }
        return chunk;
    }

    // Only what needs no answer: neither reads nor atomics.
    private VerbsStatus form(Qp qp) {
        int opcode = qp.sends().opcode();
        if (opcode >= SendWqeLayout.OPCODE_RDMA_READ && opcode <= SendWqeLayout.OPCODE_FETCH_AND_ADD) {
            error.set(VendorError.UNKNOWN_OPCODE);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        return check.form(qp, error);
    }

    /** The peer that takes the next chunk; null if the message, or the rest of it, is dropped. */
    private @Nullable Qp listener(Qp qp) {
        SendQueue sends = qp.sends();
        Qp peer = qp.route().destinationPort() != 0 ? qps.byNumber(qp.destinationQpn()) : null;
        boolean first = sends.doneBytes() == 0;
        if (peer == null || (!first && !sends.isBoundTo(peer.incarnation()))) {
            contexts.count(Counter.RX_DROPPED_MESSAGES);
            return null;
        }
        sends.bindPeer(peer.incarnation());
        return responder.admit(peer, message) ? peer : null;
    }

    private void sent(Qp qp) {
        contexts.add(Counter.PORT_XMIT_PACKETS, message.packets);
        qp.advanceSqPsn(message.packets);
        completer.sendDone(qp);
    }
}
