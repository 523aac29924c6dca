package io.hyperverbs.hca.rc;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.event.EventRaiser;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.srq.SrqTable;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.hca.tpt.Window;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.QpErrors;
import io.hyperverbs.hca.transport.ReceiveWqeFetch;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import org.jspecify.annotations.Nullable;

/**
 * The responder of RC and XRC, whatever fabric a message comes by. That it is the peer's, and the next one, is the
 * fabric's to know; {@link #admit} makes the checks after that in their order (rights of the QP, resources, key), again
 * before each chunk or packet; {@link #finish} completes and acknowledges. What a refusal does to the responder's side,
 * it does at once; the fabric tells the requester the answer, with {@link #error} for its {@code vendor_err} where it
 * can. Engine thread only.
 */
public final class Responder {
    private final Tpt tpt;
    private final ContextMemory contexts;
    private final Completer completer;
    private final QpErrors errors;
    private final EventRaiser events;
    private final Atomics atomics;
    private final ReceiveWqeFetch receives;
    private final XrcTargets targets;
    private final SgList place;
    private final CompletionError error = new CompletionError();
    private @Nullable Region remote;

    public Responder(
            Tpt tpt,
            ContextMemory contexts,
            Completer completer,
            QpErrors errors,
            EventRaiser events,
            ReceiveWqeFetch receives,
            SrqTable srqs) {
        this.targets = new XrcTargets(srqs, completer);
        this.tpt = tpt;
        this.contexts = contexts;
        this.completer = completer;
        this.errors = errors;
        this.events = events;
        this.receives = receives;
        this.atomics = new Atomics(contexts.memory());
        this.place = new SgList(contexts.memory());
    }

    /** Why the last answer was no ACK. */
    public CompletionError error() {
        return error;
    }

    /** After an ACK: where the bytes of a send or write go, or those of a read come from. */
    public SgList place() {
        return place;
    }

    /** Judges a message of the peer that is expected, or the next chunk or packet of one. */
    public Answer admit(Qp qp, Message message) {
        if (qp.state() == QpState.RTR && qp.establish()) {
            events.raise(qp.events(), AsyncEvent.Type.COMM_EST);
        }
        if (message.transport == Qp.XRC && !targets.selectSrq(qp, message)) {
            error.set(VendorError.XRC_QUEUE);
            return invalidRequest(qp);
        }
        if (!isEnabled(qp, message)) {
            error.set(VendorError.QP_RIGHTS);
            return invalidRequest(qp);
        }
        if (message.isRead() || message.isAtomic()) {
            if (message.isAtomic() && (message.remoteAddress & 7) != 0) {
                error.set(VendorError.ATOMIC_MISALIGNED, message.rkey, 0, message.remoteAddress, 8);
                return invalidRequest(qp);
            }
            if (qp.maxDestinationReadAtomic() == 0) {
                error.set(VendorError.READ_DEPTH);
                return invalidRequest(qp);
            }
        }
        if (message.takesReceive()) {
            ReceiveWqeFetch.Outcome outcome = receives.take(qp);
            if (outcome == ReceiveWqeFetch.Outcome.TAKEN && message.isSend()) {
                outcome = receives.place(qp, message.lengthBytes, place);
            }
            if (outcome != ReceiveWqeFetch.Outcome.TAKEN) {
                return refuse(qp, outcome, message);
            }
        }
        if (!message.isSend()) {
            return reach(qp, message);
        }
        return message.invalidates() ? mayEnd(qp, message) : Answer.ACK;
    }

    /** Executes an admitted atomic. @return the value before it */
    public long execute(Message message) {
        Region region = remote;
        if (region == null) {
            throw new IllegalStateException("atomic was not admitted");
        }
        return atomics.execute(message, region);
    }

    /** After the last byte: ends a window, completes a receive, counts, and answers. */
    public Answer finish(Qp qp, Message message) {
        if (message.invalidates()) {
            Window window = tpt.windows().invalidatable(qp.pd(), qp.qpn(), message.immediate, error);
            if (window == null) {
                throw new IllegalStateException("invalidation was not admitted");
            }
            tpt.windows().unbind(window);
        }
        count(message);
        if (!message.takesReceive()) {
            qp.context().received(qp, message.isWrite() ? message.lengthBytes : 0);
            return Answer.ACK;
        }
        if (completer.receiveDone(qp, message)) {
            return Answer.ACK;
        }
        error.set(VendorError.CQ_OVERRUN);
        return Answer.NAK_REMOTE_OPERATION;
    }

    private static boolean isEnabled(Qp qp, Message message) {
        return message.isSend()
                || (message.isWrite() && qp.grants(Access.REMOTE_WRITE))
                || (message.isRead() && qp.grants(Access.REMOTE_READ))
                || (message.isAtomic() && qp.grants(Access.REMOTE_ATOMIC));
    }

    // What became of the receive is done at the claim; here the requester's side of it.
    private Answer refuse(Qp qp, ReceiveWqeFetch.Outcome outcome, Message message) {
        return switch (outcome) {
            case TAKEN -> Answer.ACK;
            case NO_RECEIVE -> {
                qp.context().count(Counter.OUT_OF_BUFFER);
                error.set(VendorError.NO_RECEIVE);
                yield Answer.RNR_NAK;
            }
            case RING_OVERRUN -> silence();
            case MALFORMED -> {
                error.set(VendorError.RECEIVE_MALFORMED);
                yield Answer.NAK_REMOTE_OPERATION;
            }
            case TOO_SMALL -> {
                error.set(VendorError.RECEIVE_TOO_SMALL, 0, 0, 0, message.lengthBytes);
                yield Answer.NAK_INVALID_REQUEST;
            }
            case PROTECTION -> {
                error.set(VendorError.RECEIVE_PROTECTION);
                yield Answer.NAK_REMOTE_OPERATION;
            }
        };
    }

    // Like a bad rkey of a write with immediate: the receive is spent, no byte has landed.
    private Answer mayEnd(Qp qp, Message message) {
        if (tpt.windows().invalidatable(qp.pd(), qp.qpn(), message.immediate, error) != null) {
            return Answer.ACK;
        }
        qp.context().count(Counter.RESP_REMOTE_ACCESS_ERRORS);
        completer.receiveFailed(qp, VerbsStatus.LOC_ACCESS_ERR, error);
        errors.fail(qp, AsyncEvent.Type.QP_ACCESS_ERR);
        return Answer.NAK_REMOTE_ACCESS;
    }

    private Answer reach(Qp qp, Message message) {
        place.clear();
        // A zero-length RDMA needs no valid rkey (IBA C9-88), so the key is not even looked up.
        if (message.lengthBytes == 0) {
            return Answer.ACK;
        }
        Access right =
                message.isWrite() ? Access.REMOTE_WRITE : message.isRead() ? Access.REMOTE_READ : Access.REMOTE_ATOMIC;
        Region region = tpt.remote(
                qp.pd(), qp.qpn(), message.rkey, message.remoteAddress, message.lengthBytes, right.bit(), error);
        if (region == null) {
            qp.context().count(Counter.RESP_REMOTE_ACCESS_ERRORS);
            if (message.takesReceive()) {
                completer.receiveFailed(qp, VerbsStatus.LOC_ACCESS_ERR, error);
            }
            errors.fail(qp, AsyncEvent.Type.QP_ACCESS_ERR);
            return Answer.NAK_REMOTE_ACCESS;
        }
        if (message.isAtomic() && !Atomics.isAligned(message, region)) {
            error.set(VendorError.ATOMIC_MISALIGNED, message.rkey, qp.pd(), message.remoteAddress, Long.BYTES);
            return invalidRequest(qp);
        }
        remote = region;
        place.add(region, message.remoteAddress, message.lengthBytes);
        return Answer.ACK;
    }

    private Answer invalidRequest(Qp qp) {
        errors.fail(qp, AsyncEvent.Type.QP_REQ_ERR);
        return Answer.NAK_INVALID_REQUEST;
    }

    private Answer silence() {
        error.set(VendorError.PEER_SILENT);
        return Answer.DROP;
    }

    private void count(Message message) {
        if (message.isSend()) {
            contexts.countTraffic(Counter.RX_SEND_REQUESTS, 1);
        } else if (message.isWrite()) {
            contexts.countTraffic(Counter.RX_WRITE_REQUESTS, 1);
        } else if (message.isRead()) {
            contexts.countTraffic(Counter.RX_READ_REQUESTS, 1);
        } else {
            contexts.countTraffic(Counter.RX_ATOMIC_REQUESTS, 1);
        }
    }
}
