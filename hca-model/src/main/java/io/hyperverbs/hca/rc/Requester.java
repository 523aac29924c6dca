package io.hyperverbs.hca.rc;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Fabric;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.transport.WindowWork;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * The requester of RC and XRC: fetches a request, judges its form, does what is local, and hands all
 * else to the fabric of the queue pair's route. What is wrong with a request is said in its turn: after
 * those before it have completed. Engine thread only.
 */
public final class Requester {
    private final Completer completer;
    private final RequestCheck check;
    private final WindowWork windows;
    private final Answers answers;
    private final Fabric loopback;
    private final Fabric wire;
    private final CompletionError error = new CompletionError();

    /**
     * @param wire of queue pairs whose route is remote; any if the HCA has none
     */
    public Requester(
            Completer completer,
            RequestCheck check,
            WindowWork windows,
            Answers answers,
            Fabric loopback,
            Fabric wire) {
        this.completer = completer;
        this.check = check;
        this.windows = windows;
        this.answers = answers;
        this.loopback = loopback;
        this.wire = wire;
    }

    /**
     * Does the next step of a queue pair whose send queue is ready.
     *
     * @return bytes moved
     */
    public long step(Qp qp, long nowNanos) {
        SendQueue sends = qp.sends();
        if (sends.isBusy()) {
            sends.selectNext();
        } else {
            sends.fetch();
        }
        if (!sends.isJudged() && !isForFabric(qp)) {
            return 0;
        }
        return (qp.route().isRemote() ? wire : loopback).carry(qp, nowNanos);
    }

    /** Judges the request's form, and does what is local; false if nothing of it is to be carried, or not yet. */
    private boolean isForFabric(Qp qp) {
        SendQueue sends = qp.sends();
        VerbsStatus status = check.form(qp, error);
        boolean isLocal = WindowWork.isWindowWork(sends.opcode());
        if (sends.isOldest()) {
            Answers.renewRetries(qp);
        } else if (isLocal || status != VerbsStatus.SUCCESS) {
            sends.hold(SendQueue.Wait.WINDOW);
            return false;
        }
        if (status != VerbsStatus.SUCCESS) {
            completer.sendFailed(qp, status, error);
            return false;
        }
        if (isLocal) {
            windows.run(qp, error);
            return false;
        }
        sends.judged();
        return true;
    }

    /** The timer of a queue pair without packets under way ran out; it is the caller's to queue it. */
    public void timeout(Qp qp) {
        SendQueue sends = qp.sends();
        if (sends.waitsFor() == SendQueue.Wait.ACK) {
            qp.context().count(Counter.LOCAL_ACK_TIMEOUT_ERR);
            if (!answers.mayRetry(qp)) {
                return;
            }
        }
        sends.resume();
    }
}
