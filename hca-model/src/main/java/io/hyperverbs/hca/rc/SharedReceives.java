package io.hyperverbs.hca.rc;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.ReceiveQueue;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.hca.tpt.Fault;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * Receives that queue pairs take from a shared queue. One is taken when the first packet of its
 * message comes, and is that queue pair's from then on: if the message never ends it is flushed
 * there, while what is still in the shared queue stays. Engine thread only.
 */
public final class SharedReceives {
    private final ErrorPath errors;
    private final Completer completer;
    private final Fault local = new Fault();

    public SharedReceives(ErrorPath errors, Completer completer) {
        this.errors = errors;
        this.completer = completer;
    }

    /** Takes a receive for the message that has come to {@code qp}; the fault says why not. */
    Answer take(Qp qp, Srq srq, Fault fault) {
        int available = srq.available();
        if (available == 0) {
            qp.context().count(Counter.OUT_OF_BUFFER);
            fault.set(VendorError.NO_RECEIVE);
            return Answer.RNR_NAK;
        }
        if (available == Srq.BROKEN) {
            errors.srqFailed(srq);
            errors.fail(qp);
            fault.set(VendorError.PEER_SILENT);
            return Answer.SILENCE;
        }
        ReceiveQueue receives = qp.receives();
        if (receives.holdShared(srq)) {
            errors.raise(srq.events(), AsyncEvent.Type.SRQ_LIMIT_REACHED);
        }
        int segments = receives.segmentCount();
        return segments >= 0 && segments <= srq.maxSegments()
                ? Answer.ACK
                : malformed(qp, srq, segments, fault);
    }

    // Who writes such an entry has lost track of the ring: none of it is believed any more.
    private Answer malformed(Qp qp, Srq srq, int segments, Fault fault) {
        local.set(VendorError.RECEIVE_MALFORMED, 0, 0, 0, segments & 0xffff_ffffL);
        completer.receiveFailed(qp, VerbsStatus.LOC_QP_OP_ERR, local);
        errors.srqFailed(srq);
        fault.set(VendorError.RECEIVE_MALFORMED);
        return Answer.NAK_REMOTE_OPERATION;
    }

    /** In ERR: flushes what the queue pair has taken, then says that nothing more will come. */
    void flush(Qp qp) {
        if (qp.receives().isHeld()) {
            completer.flushHeld(qp);
        }
        if (qp.reportLastReceive()) {
            errors.raise(qp.events(), AsyncEvent.Type.QP_LAST_WQE_REACHED);
        }
    }
}
