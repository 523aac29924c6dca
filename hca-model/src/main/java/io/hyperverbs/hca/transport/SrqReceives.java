package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.event.EventRaiser;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.ReceiveQueue;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.ReceiveWqeFetch.Outcome;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * Receives that queue pairs take from a shared queue. One is taken when the first packet of its
 * message comes, and is that queue pair's from then on: if the message never ends it is flushed
 * there, while what is still in the shared queue stays. Engine thread only.
 */
public final class SrqReceives {
    private final QpErrors errors;
    private final EventRaiser events;
    private final Completer completer;
    private final CompletionError local = new CompletionError();

    public SrqReceives(QpErrors errors, EventRaiser events, Completer completer) {
        this.errors = errors;
        this.events = events;
        this.completer = completer;
    }

    /**
     * Takes a receive for the message that has come to {@code qp}.
     *
     * @param roomBytes one with less room stays in the queue: TOO_SMALL, and nothing has changed
     */
    Outcome take(Qp qp, Srq srq, long roomBytes) {
        int available = srq.available();
        if (available == 0) {
            return Outcome.NO_RECEIVE;
        }
        if (available == Srq.BROKEN) {
            errors.srqFailed(srq);
            errors.fail(qp);
            return Outcome.RING_OVERRUN;
        }
        ReceiveQueue receives = qp.receives();
        receives.readShared(srq);
        int segments = receives.segmentCount();
        boolean wellFormed = segments >= 0 && segments <= srq.maxSegments();
        if (wellFormed && receives.capacityBytes(segments) < roomBytes) {
            return Outcome.TOO_SMALL;
        }
        if (receives.holdShared(srq)) {
            events.raise(srq.events(), AsyncEvent.Type.SRQ_LIMIT_REACHED);
        }
        return wellFormed ? Outcome.TAKEN : malformed(qp, srq, segments);
    }

    // A driver that writes such an entry has corrupted the ring: nothing in it is used any more.
    private Outcome malformed(Qp qp, Srq srq, int segments) {
        local.set(VendorError.RECEIVE_MALFORMED, 0, 0, 0, segments & 0xffff_ffffL);
        completer.receiveFailed(qp, VerbsStatus.LOC_QP_OP_ERR, local);
        errors.srqFailed(srq);
        return Outcome.MALFORMED;
    }

    /** In ERR: flushes what the queue pair has taken, then says that nothing more will come. */
    public void flush(Qp qp) {
        if (qp.receives().isHeld()) {
            completer.flushHeld(qp);
        }
        if (qp.reportLastReceive()) {
            events.raise(qp.events(), AsyncEvent.Type.QP_LAST_WQE_REACHED);
        }
    }
}
