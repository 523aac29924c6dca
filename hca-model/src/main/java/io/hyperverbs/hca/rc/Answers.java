package io.hyperverbs.hca.rc;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.schedule.TimerWheel;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * What answers, and their absence, do to the oldest request of a queue pair, which is selected: it
 * completes, is carried again, or waits. The same for each fabric. Engine thread only.
 */
public final class Answers {
    private static final int FOR_EVER = 7;

    private final TimerWheel timers;
    private final Completer completer;
    private final CompletionError error = new CompletionError();

    public Answers(TimerWheel timers, Completer completer) {
        this.timers = timers;
        this.completer = completer;
    }

    /** Full budgets of retries, as something was acknowledged or nothing is under way. */
    public static void renewRetries(Qp qp) {
        qp.sends().resetRetries(qp.retryCount(), qp.rnrRetry());
    }

    /** The responder took part of the request, or all of it. */
    public static void progressed(Qp qp) {
        renewRetries(qp);
        qp.context().awaitsNoReceive();
    }

    /** All of the request is done at the responder. */
    public void done(Qp qp) {
        completer.sendDone(qp);
    }

    /**
     * The responder has refused the request for good, or says RNR.
     *
     * @param minRnrTimer 5-bit code that the responder sent with an RNR NAK
     */
    public void refused(Qp qp, Answer answer, CompletionError why, int minRnrTimer, long nowNanos) {
        switch (answer) {
            case RNR_NAK -> rnr(qp, why, minRnrTimer, nowNanos);
            case NAK_INVALID_REQUEST -> {
                qp.context().count(Counter.REQ_REMOTE_INVALID_REQUEST);
                completer.sendFailed(qp, VerbsStatus.REM_INV_REQ_ERR, why);
            }
            case NAK_REMOTE_ACCESS -> {
                qp.context().count(Counter.REQ_REMOTE_ACCESS_ERRORS);
                completer.sendFailed(qp, VerbsStatus.REM_ACCESS_ERR, why);
            }
            case NAK_REMOTE_OPERATION -> completer.sendFailed(qp, VerbsStatus.REM_OP_ERR, why);
            case ACK, DROP -> throw new IllegalStateException(answer + " is no refusal");
        }
    }

    private void rnr(Qp qp, CompletionError why, int minRnrTimer, long nowNanos) {
        qp.context().count(Counter.RNR_NAK_RETRY_ERR);
        // The peer is there.
        qp.sends().resetTransportRetries(qp.retryCount());
        if (qp.rnrRetry() != FOR_EVER && !qp.sends().takeRnrRetry()) {
            qp.context().count(Counter.REQ_RNR_RETRIES_EXCEEDED);
            completer.sendFailed(qp, VerbsStatus.RNR_RETRY_EXC_ERR, why);
        } else {
            qp.context().awaitsReceive(nowNanos);
            qp.sends().suspend(SendQueue.Wait.RNR);
            timers.start(qp.index(), nowNanos, rnrDelayNanos(qp, minRnrTimer));
        }
    }

    // A requester with infinite retries does not back off: the responder's timer sets each wait.
    private static long rnrDelayNanos(Qp qp, int minRnrTimer) {
        return qp.rnrRetry() == FOR_EVER
                ? RnrDelay.nanos(minRnrTimer)
                : RnrDelay.nanos(minRnrTimer, qp.sends().rnrRetriesTaken() - 1);
    }

    /** Memory of the requester's side is not what the request says. */
    public void localError(Qp qp, CompletionError why) {
        RequestCheck.nameRevoked(qp, why);
        completer.sendFailed(qp, VerbsStatus.LOC_PROT_ERR, why);
    }

    /** Nobody answers: the request waits for its ack timer and starts over. */
    void silence(Qp qp, long nowNanos) {
        qp.context().awaitsNoReceive();
        qp.sends().suspend(SendQueue.Wait.ACK);
        if (qp.timeoutCode() != 0) {
            timers.start(qp.index(), nowNanos, RnrDelay.ackTimeoutNanos(qp.timeoutCode()));
        }
    }

    /**
     * A packet or its answer was lost.
     *
     * @return whether the request may be carried again; else it has failed
     */
    public boolean mayRetry(Qp qp) {
        if (qp.retryCount() == FOR_EVER || qp.sends().takeRetry()) {
            return true;
        }
        qp.context().count(Counter.REQ_TRANSPORT_RETRIES_EXCEEDED);
        error.set(qp.route().isPortUp() ? VendorError.PEER_SILENT : VendorError.PORT_DOWN);
        completer.sendFailed(qp, VerbsStatus.RETRY_EXC_ERR, error);
        return false;
    }
}
