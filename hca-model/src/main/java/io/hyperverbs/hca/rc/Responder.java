package io.hyperverbs.hca.rc;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.ReceiveQueue;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.hca.tpt.Fault;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.hca.tpt.Window;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;

import org.jspecify.annotations.Nullable;

/**
 * The responder of RC. {@link #admit} makes checks 1 to 5 in their order (PSN, opcode, rights of
 * the QP, resources, key), before each chunk anew; {@link #finish} completes and acknowledges. What
 * a refusal does to the responder's side, it does at once; the requester learns the answer alone,
 * with {@link #fault} for its {@code vendor_err}.
 */
public final class Responder {
    private final Tpt tpt;
    private final ContextMemory contexts;
    private final Completer completer;
    private final SharedReceives shared;
    private final ErrorPath errors;
    private final Atomics atomics;
    private final PortTable ports;
    private final SgList place;
    private final Fault fault = new Fault();
    private final Fault local = new Fault();
    private @Nullable Region remote;

    public Responder(
            Tpt tpt,
            ContextMemory contexts,
            Completer completer,
            SharedReceives shared,
            ErrorPath errors,
            PortTable ports) {
        this.ports = ports;
        this.tpt = tpt;
        this.contexts = contexts;
        this.completer = completer;
        this.shared = shared;
        this.errors = errors;
        this.atomics = new Atomics(contexts.memory());
        this.place = new SgList(contexts.memory());
    }

    /** Why the last answer was no ACK. */
    Fault fault() {
        return fault;
    }

    /** After an ACK: where the bytes of a send or write go, or those of a read come from. */
    SgList place() {
        return place;
    }

    /** Judges a message, or the next chunk of one. */
    Answer admit(Qp qp, Message message) {
        if (!isConnected(qp, message)) {
            contexts.count(Counter.UNCONNECTED_REQUESTS);
            return silence();
        }
        if (qp.pkey() != message.pkey && !Pkey.match(qp.pkey(), message.pkey)) {
            ports.badPkey(qp.port());
            return silence();
        }
        if (qp.rqPsn() != message.psn) {
            qp.context().count(Counter.PACKET_SEQ_ERR);
            return silence();
        }
        if (qp.state() == QpState.RTR && qp.establish()) {
            errors.raise(qp.events(), AsyncEvent.Type.COMM_EST);
        }
        if (!isEnabled(qp, message)) {
            fault.set(VendorError.QP_RIGHTS);
            return invalidRequest(qp);
        }
        if (message.isAtomic() && (message.remoteAddress & 7) != 0) {
            fault.set(VendorError.ATOMIC_MISALIGNED, message.rkey, 0, message.remoteAddress, 8);
            return invalidRequest(qp);
        }
        if ((message.isRead() || message.isAtomic()) && qp.maxDestinationReadAtomic() == 0) {
            fault.set(VendorError.READ_DEPTH);
            return invalidRequest(qp);
        }
        if (message.takesReceive()) {
            Answer answer = receive(qp, message);
            if (answer != Answer.ACK) {
                return answer;
            }
        }
        if (!message.isSend()) {
            return reach(qp, message);
        }
        Answer answer = scatter(qp, message);
        return answer == Answer.ACK && message.invalidates() ? mayEnd(qp, message) : answer;
    }

    /** Executes an admitted atomic. @return the value before it */
    long execute(Message message) {
        Region region = remote;
        if (region == null) {
            throw new IllegalStateException("atomic was not admitted");
        }
        return atomics.execute(message, region);
    }

    /** After the last byte: ends a window, completes a receive, counts, and answers. */
    Answer finish(Qp qp, Message message) {
        if (message.invalidates()) {
            Window window =
                    tpt.windows().invalidatable(qp.pd(), qp.qpn(), message.immediate, fault);
            if (window == null) {
                throw new IllegalStateException("invalidation was not admitted");
            }
            tpt.windows().unbind(window);
        }
        qp.advanceRqPsn(message.packets);
        count(message);
        if (!message.takesReceive()) {
            qp.context().received(qp, message.isWrite() ? message.lengthBytes : 0);
            return Answer.ACK;
        }
        if (completer.receiveDone(qp, message)) {
            return Answer.ACK;
        }
        fault.set(VendorError.CQ_OVERRUN);
        return Answer.NAK_REMOTE_OPERATION;
    }

    // Only the peer that this side was connected to is heard (and it heard of nobody else).
    private static boolean isConnected(Qp qp, Message message) {
        return qp.isResponding()
                && qp.destinationQpn() == message.sourceQpn
                && qp.destinationLid() == message.sourceLid
                && qp.port() == message.destinationPort;
    }

    private static boolean isEnabled(Qp qp, Message message) {
        return message.isSend()
                || (message.isWrite() && qp.grants(Access.REMOTE_WRITE))
                || (message.isRead() && qp.grants(Access.REMOTE_READ))
                || (message.isAtomic() && qp.grants(Access.REMOTE_ATOMIC));
    }

    private Answer receive(Qp qp, Message message) {
        ReceiveQueue receives = qp.receives();
        Srq srq = receives.shared();
        if (srq != null) {
            Answer answer = receives.isHeld() ? Answer.ACK : shared.take(qp, srq, fault);
            return answer == Answer.ACK && message.isSend()
                    ? room(qp, message, receives.segmentCount())
                    : answer;
        }
        if (!receives.isHeld()) {
            switch (receives.find()) {
                case NONE -> {
                    qp.context().count(Counter.OUT_OF_BUFFER);
                    fault.set(VendorError.NO_RECEIVE);
                    return Answer.RNR_NAK;
                }
                case BEYOND -> {
                    errors.ringOverrun(qp);
                    return silence();
                }
                case SOME -> receives.hold();
            }
        }
        int segments = receives.segmentCount();
        if (segments < 0 || segments > qp.plan().limits().receiveSge()) {
            local.set(VendorError.RECEIVE_MALFORMED, 0, 0, 0, segments & 0xffff_ffffL);
            completer.receiveFailed(qp, VerbsStatus.LOC_QP_OP_ERR, local);
            fault.set(VendorError.RECEIVE_MALFORMED);
            return Answer.NAK_REMOTE_OPERATION;
        }
        return message.isSend() ? room(qp, message, segments) : Answer.ACK;
    }

    private Answer room(Qp qp, Message message, int segments) {
        long capacity = 0;
        for (int i = 0; i < segments; i++) {
            capacity += qp.receives().segmentLengthBytes(i);
        }
        if (capacity >= message.lengthBytes) {
            return Answer.ACK;
        }
        qp.context().count(Counter.RESP_LOCAL_LENGTH_ERROR);
        local.set(VendorError.RECEIVE_TOO_SMALL, 0, 0, 0, message.lengthBytes);
        completer.receiveFailed(qp, VerbsStatus.LOC_LEN_ERR, local);
        fault.set(VendorError.RECEIVE_TOO_SMALL, 0, 0, 0, message.lengthBytes);
        return Answer.NAK_INVALID_REQUEST;
    }

    // Only the pieces that the message fills are looked at.
    private Answer scatter(Qp qp, Message message) {
        ReceiveQueue receives = qp.receives();
        Srq srq = receives.shared();
        // Who posted the receive is judged, not who got the message.
        int pd = srq == null ? qp.pd() : srq.pd();
        place.clear();
        long left = message.lengthBytes;
        for (int i = 0; left > 0; i++) {
            long length = Math.min(left, receives.segmentLengthBytes(i));
            if (length == 0) {
                continue;
            }
            long address = receives.segmentAddress(i);
            Region region =
                    tpt.local(
                            pd,
                            receives.segmentLkey(i),
                            address,
                            length,
                            Access.LOCAL_WRITE.bit(),
                            local);
            if (region == null) {
                completer.receiveFailed(qp, VerbsStatus.LOC_PROT_ERR, local);
                fault.set(VendorError.RECEIVE_PROTECTION);
                return Answer.NAK_REMOTE_OPERATION;
            }
            place.add(region, address, length);
            left -= length;
        }
        return Answer.ACK;
    }

    // Like a bad rkey of a write with immediate: the receive is spent, no byte has landed.
    private Answer mayEnd(Qp qp, Message message) {
        if (tpt.windows().invalidatable(qp.pd(), qp.qpn(), message.immediate, fault) != null) {
            return Answer.ACK;
        }
        qp.context().count(Counter.RESP_REMOTE_ACCESS_ERRORS);
        completer.receiveFailed(qp, VerbsStatus.LOC_ACCESS_ERR, fault);
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
                message.isWrite()
                        ? Access.REMOTE_WRITE
                        : message.isRead() ? Access.REMOTE_READ : Access.REMOTE_ATOMIC;
        Region region =
                tpt.remote(
                        qp.pd(),
                        qp.qpn(),
                        message.rkey,
                        message.remoteAddress,
                        message.lengthBytes,
                        right.bit(),
                        fault);
        if (region == null) {
            qp.context().count(Counter.RESP_REMOTE_ACCESS_ERRORS);
            if (message.takesReceive()) {
                completer.receiveFailed(qp, VerbsStatus.LOC_ACCESS_ERR, fault);
            }
            errors.fail(qp, AsyncEvent.Type.QP_ACCESS_ERR);
            return Answer.NAK_REMOTE_ACCESS;
        }
        if (message.isAtomic() && !Atomics.isAligned(message, region)) {
            fault.set(
                    VendorError.ATOMIC_MISALIGNED,
                    message.rkey,
                    qp.pd(),
                    message.remoteAddress,
                    Long.BYTES);
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
        fault.set(VendorError.PEER_SILENT);
        return Answer.SILENCE;
    }

    private void count(Message message) {
        if (message.isSend()) {
            contexts.count(Counter.RX_SEND_REQUESTS);
        } else if (message.isWrite()) {
            contexts.count(Counter.RX_WRITE_REQUESTS);
        } else if (message.isRead()) {
            contexts.count(Counter.RX_READ_REQUESTS);
        } else {
            contexts.count(Counter.RX_ATOMIC_REQUESTS);
        }
    }
}
