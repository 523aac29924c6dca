package io.hyperverbs.hca.rc;

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
    private final CompletionError error = new CompletionError();

    public Requester(Completer completer, RequestCheck check, WindowWork windows, Answers answers, Fabric loopback) {
        this.completer = completer;
        this.check = check;
        this.windows = windows;
        this.answers = answers;
        this.loopback = loopback;
    }

    /**
     * Does the next step of a queue pair whose send queue is ready.
     *
     * @return bytes moved
     */
    public long step(Qp qp, long nowNanos) {
        SendQueue sends = qp.sends();
        if (!sends.isBusy()) {
            sends.fetch();
            Answers.renewRetries(qp);
            VerbsStatus status = check.form(qp, error);
            if (status != VerbsStatus.SUCCESS) {
                completer.sendFailed(qp, status, error);
                return 0;
            }
            if (WindowWork.isWindowWork(sends.opcode())) {
                windows.run(qp, error);
                return 0;
            }
        }
        return loopback.carry(qp, nowNanos);
    }

    /** The timer of a waiting queue pair ran out; it is the caller's to queue it. */
    public void timeout(Qp qp) {
        SendQueue sends = qp.sends();
        if (sends.waitsFor() != SendQueue.Wait.ACK || answers.mayRetry(qp)) {
            sends.resume();
        }
    }
}
