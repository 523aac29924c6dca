package io.hyperverbs.hca.rc;

import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.ReceiveQueue;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.hca.srq.SrqTable;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Message;

/**
 * Leads messages that come to an XRC target into the shared receive queue they name. A domain of
 * XRC is a protection domain in which nothing is registered: its number ties queues and targets
 * together. Engine thread only.
 */
@SuppressWarnings("ReferenceEquality") // A queue is that very one, not one like it.
final class XrcTargets {
    private final SrqTable srqs;
    private final Completer completer;

    XrcTargets(SrqTable srqs, Completer completer) {
        this.srqs = srqs;
        this.completer = completer;
    }

    /** Aims the target at the queue of the message; false if its domain has no such queue. */
    boolean selectSrq(Qp target, Message message) {
        Srq srq = srqs.byNumber(message.srqn);
        if (srq == null || srq.xrcd() != target.plan().pd()) {
            return false;
        }
        ReceiveQueue receives = target.receives();
        if (receives.shared() != srq) {
            if (receives.isHeld()) {
                // Taken for a message to another queue that never ended.
                completer.flushHeld(target);
            }
            target.selectSrq(srq);
        }
        return true;
    }
}
