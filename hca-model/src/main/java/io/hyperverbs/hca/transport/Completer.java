package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.cq.Completion;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.cq.CqEvents;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.ReceiveQueue;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion.Opcode;

/**
 * Ends requests and receives: retires the slot, notes the position in the context memory, then
 * writes the completion, in this order. A failed or flushed one always completes.
 */
public final class Completer {
    private final QpErrors errors;
    private final CqEvents events;
    private final Completion completion = new Completion();
    private final CompletionError flushed = new CompletionError();

    public Completer(QpErrors errors, CqEvents events) {
        this.errors = errors;
        this.events = events;
        flushed.set(VendorError.FLUSHED);
    }

    /** The oldest send request, which is selected, succeeded. */
    public void sendDone(Qp qp) {
        SendQueue sends = qp.sends();
        boolean visible = qp.plan().limits().allSignalled() || sends.hasFlag(SendFlags.SIGNALLED);
        long bytes = sends.lengthBytes();
        sends.retire();
        qp.context().sent(qp, bytes);
        if (visible) {
            begin(qp, sends).bytes(bytes);
            write(qp.sendCq());
        }
    }

    /**
     * The oldest send request, which is selected, failed, so it completes whether signalled or not; QP to ERR, or SQE.
     */
    public void sendFailed(Qp qp, VerbsStatus status, CompletionError why) {
        qp.context().count(Counter.REQ_CQE_ERROR);
        errors.failSends(qp);
        endSend(qp, status, why);
    }

    /** Flushes the next send request, fetched or not. */
    public void flushSend(Qp qp) {
        if (qp.sends().isOutstanding()) {
            qp.sends().selectOldest();
        } else {
            qp.sends().fetch();
        }
        qp.context().count(Counter.REQ_CQE_FLUSH_ERROR);
        endSend(qp, VerbsStatus.WR_FLUSH_ERR, flushed);
    }

    /**
     * The held receive got its message.
     *
     * @return false if the completion could not be written; the queue pair is in ERR then
     */
    public boolean receiveDone(Qp qp, Message message) {
        ReceiveQueue receives = qp.receives();
        completion
                .begin(qp.qpn(), receives.wrId(), (message.isSend() ? Opcode.RECV : Opcode.RECV_RDMA_WITH_IMM).code())
                .srqn(srqn(receives))
                .bytes(message.lengthBytes)
                .solicited(message.solicited);
        if (message.hasImmediate()) {
            completion.immediate(message.immediate);
        } else if (message.invalidates()) {
            completion.invalidated(message.immediate);
        }
        receives.retire();
        qp.context().received(qp, message.lengthBytes);
        return write(qp.receiveCq());
    }

    /** The held receive got a datagram; as {@link #receiveDone}. */
    public boolean datagramDone(Qp qp, Message datagram, int lengthBytes, boolean hasGrh) {
        ReceiveQueue receives = qp.receives();
        completion
                .begin(qp.qpn(), receives.wrId(), Opcode.RECV.code())
                .bytes(lengthBytes)
                .solicited(datagram.solicited)
                .source(datagram.sourceQpn, datagram.sourceLid, datagram.serviceLevel, qp.pkeyIndex(), hasGrh);
        if (datagram.hasImmediate()) {
            completion.immediate(datagram.immediate);
        }
        receives.retire();
        qp.context().received(qp, lengthBytes);
        return write(qp.receiveCq());
    }

    /** The held receive ends with an error; QP to ERR. */
    public void receiveFailed(Qp qp, VerbsStatus status, CompletionError why) {
        qp.context().count(Counter.RESP_CQE_ERROR);
        endReceive(qp, status, why);
        errors.fail(qp);
    }

    /** Flushes the next receive. */
    public void flushReceive(Qp qp) {
        qp.receives().fetch();
        qp.context().count(Counter.RESP_CQE_FLUSH_ERROR);
        endReceive(qp, VerbsStatus.WR_FLUSH_ERR, flushed);
    }

    /** Flushes the receive that was taken from a shared queue. */
    public void flushHeld(Qp qp) {
        qp.context().count(Counter.RESP_CQE_FLUSH_ERROR);
        endReceive(qp, VerbsStatus.WR_FLUSH_ERR, flushed);
    }

    private void endSend(Qp qp, VerbsStatus status, CompletionError why) {
        SendQueue sends = qp.sends();
        sends.retire();
        qp.context().sendFailed(qp);
        begin(qp, sends).failed(status, why);
        write(qp.sendCq());
    }

    private void endReceive(Qp qp, VerbsStatus status, CompletionError why) {
        ReceiveQueue receives = qp.receives();
        completion
                .begin(qp.qpn(), receives.wrId(), Opcode.RECV.code())
                .srqn(srqn(receives))
                .failed(status, why);
        receives.retire();
        qp.context().receiveFailed(qp);
        write(qp.receiveCq());
    }

    // The copy stays readable after retire, until the next fetch.
    private Completion begin(Qp qp, SendQueue sends) {
        return completion
                .begin(qp.qpn(), sends.wrId(), completionOpcode(sends.opcode()))
                .sqHead(sends.head());
    }

    private static int srqn(ReceiveQueue receives) {
        Srq shared = receives.shared();
        return shared == null ? 0 : shared.srqn();
    }

    private boolean write(Cq cq) {
        Cq.Written written = cq.write(completion);
        events.signal(cq, written);
        return switch (written) {
            case DONE, EVENT, MODERATED -> true;
            case OVERRUN -> {
                errors.overrun(cq);
                yield false;
            }
            case BROKEN -> false;
        };
    }

    private static int completionOpcode(int wqeOpcode) {
        return switch (wqeOpcode) {
            case SendWqeLayout.OPCODE_RDMA_WRITE, SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM -> Opcode.RDMA_WRITE.code();
            case SendWqeLayout.OPCODE_RDMA_READ -> Opcode.RDMA_READ.code();
            case SendWqeLayout.OPCODE_COMPARE_AND_SWAP -> Opcode.COMP_SWAP.code();
            case SendWqeLayout.OPCODE_FETCH_AND_ADD -> Opcode.FETCH_ADD.code();
            case SendWqeLayout.OPCODE_BIND_MW -> Opcode.BIND_MW.code();
            case SendWqeLayout.OPCODE_LOCAL_INV -> Opcode.LOCAL_INV.code();
            default -> Opcode.SEND.code();
        };
    }
}
