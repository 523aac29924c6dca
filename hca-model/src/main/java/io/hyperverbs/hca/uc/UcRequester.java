package io.hyperverbs.hca.uc;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Fabric;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.transport.UnacknowledgedRequester;
import io.hyperverbs.hca.transport.WindowWork;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * The requester of UC: fetches a request, judges its form, does what is local, and hands all else to the
 * fabric of the queue pair's route. What the responder drops is not reported to the requester: its request succeeds all
 * the same.
 */
public final class UcRequester implements UnacknowledgedRequester {
    private final Completer completer;
    private final RequestCheck check;
    private final WindowWork windows;
    private final Fabric loopback;
    private final Fabric wire;
    private final CompletionError error = new CompletionError();

    /**
     * @param wire of queue pairs whose route is remote; any if the HCA has none
     */
    public UcRequester(Completer completer, RequestCheck check, WindowWork windows, Fabric loopback, Fabric wire) {
        this.completer = completer;
        this.check = check;
        this.windows = windows;
        this.loopback = loopback;
        this.wire = wire;
    }

    @Override
    public long step(Qp qp, long nowNanos) {
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
        return (qp.route().isRemote() ? wire : loopback).carry(qp, nowNanos);
    }

    // Only what needs no answer: neither reads nor atomics.
    private VerbsStatus form(Qp qp) {
        int opcode = qp.sends().opcode();
        boolean isAnswered = opcode >= SendWqeLayout.OPCODE_RDMA_READ && opcode <= SendWqeLayout.OPCODE_FETCH_AND_ADD;
        // IBA has no packet of UC that invalidates.
        boolean hasNoPacket =
                opcode == SendWqeLayout.OPCODE_SEND_WITH_INV && qp.route().isRemote();
        if (isAnswered || hasNoPacket) {
            error.set(VendorError.UNKNOWN_OPCODE);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        return check.form(qp, error);
    }
}
