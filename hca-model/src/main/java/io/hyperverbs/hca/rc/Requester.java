package io.hyperverbs.hca.rc;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.schedule.TimerWheel;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.KeyLockout;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.Preemption;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.transport.WindowWork;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The requester of RC, for a peer on the same HCA. One {@link #step} moves at most {@link
 * #CHUNK_BYTES} of the current request, and less for newcomers; all keys are checked again before
 * each step, so that nothing lands after a deregistration. A request is executed and acknowledged
 * before the next one starts, so reads and atomics outstanding are at most one and a fence has
 * nothing to wait for.
 */
public final class Requester {
    /** Bytes between two looks at anything else. */
    public static final long CHUNK_BYTES = 64 * 1024;

    private static final int FOR_EVER = 7;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);

    private final QpTable qps;
    private final TimerWheel timers;
    private final ContextMemory contexts;
    private final Responder responder;
    private final Completer completer;
    private final KeyLockout lockout;
    private final RequestCheck check;
    private final WindowWork windows;
    private final Preemption preemption;
    private final Message message = new Message();
    private final SgList local;
    private final SgList result;
    private final MemorySegment resultWord = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final CompletionError error = new CompletionError();

    public Requester(
            QpTable qps,
            Tpt tpt,
            TimerWheel timers,
            ContextMemory contexts,
            Responder responder,
            Completer completer,
            RequestCheck check,
            Preemption preemption,
            KeyLockout lockout) {
        this.qps = qps;
        this.timers = timers;
        this.contexts = contexts;
        this.responder = responder;
        this.completer = completer;
        this.lockout = lockout;
        this.check = check;
        this.preemption = preemption;
        this.windows = new WindowWork(tpt.windows(), completer);
        this.local = new SgList(contexts.memory());
        this.result = new SgList(contexts.memory());
        result.setPrivate(resultWord, 0, Long.BYTES);
    }

    /**
     * Does the next step of a queue pair that has a request and waits for nothing.
     *
     * @return bytes moved
     */
    public long step(Qp qp, long nowNanos) {
        SendQueue sends = qp.sends();
        if (!sends.isBusy()) {
            sends.fetch();
            sends.resetRetries(qp.retryCount(), qp.rnrRetry());
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
        message.describe(qp);
        boolean reads = message.isRead() || message.isAtomic();
        if (!reads && !check.local(qp, 0, local, error)) {
            return localError(qp);
        }
        Qp peer = qp.route().destinationPort() != 0 ? qps.byNumber(qp.destinationQpn()) : null;
        if (peer == null) {
            await(qp, nowNanos);
            return 0;
        }
        sends.bindPeer(peer.incarnation());
        Answer answer = responder.admit(peer, message);
        if (answer != Answer.ACK) {
            refused(qp, peer, answer, nowNanos);
            return 0;
        }
        sends.resetRetries(qp.retryCount(), qp.rnrRetry());
        qp.context().awaitsNoReceive();
        return execute(qp, peer, reads);
    }

    /** The timer of a waiting queue pair ran out; it is the caller's to queue it. */
    public void timeout(Qp qp) {
        SendQueue sends = qp.sends();
        if (sends.waitsFor() == SendQueue.Wait.ACK) {
            qp.context().count(Counter.LOCAL_ACK_TIMEOUT_ERR);
            if (qp.retryCount() != FOR_EVER && !sends.takeRetry()) {
                qp.context().count(Counter.REQ_TRANSPORT_RETRIES_EXCEEDED);
                error.set(qp.route().isPortUp() ? VendorError.PEER_SILENT : VendorError.PORT_DOWN);
                completer.sendFailed(qp, VerbsStatus.RETRY_EXC_ERR, error);
                return;
            }
        }
        sends.resume();
    }

    private long execute(Qp qp, Qp peer, boolean reads) {
        SendQueue sends = qp.sends();
        long chunk = Math.min(CHUNK_BYTES, sends.lengthBytes() - sends.doneBytes());
        if (message.isAtomic()) {
            resultWord.set(LONG, 0, responder.execute(message));
        }
        if (reads && !check.local(qp, Access.LOCAL_WRITE.bit(), local, error)) {
            peer.advanceRqPsn(message.packets);
            return localError(qp);
        }
        if (message.isAtomic()) {
            SgList.copy(result, local, 0, Long.BYTES);
        } else if (message.isRead()) {
            chunk = SgList.copy(responder.place(), local, sends.doneBytes(), chunk, preemption);
        } else {
            chunk = SgList.copy(local, responder.place(), sends.doneBytes(), chunk, preemption);
        }
        sends.advance(chunk);
        contexts.add(Counter.PORT_XMIT_DATA, chunk);
        if (sends.doneBytes() == sends.lengthBytes()) {
            finish(qp, peer);
        }
        return chunk;
    }

    private void finish(Qp qp, Qp peer) {
        contexts.add(Counter.PORT_XMIT_PACKETS, message.packets);
        Answer answer = responder.finish(peer, message);
        if (answer != Answer.ACK) {
            error.copyFrom(responder.error());
            completer.sendFailed(qp, VerbsStatus.REM_OP_ERR, error);
            return;
        }
        qp.advanceSqPsn(message.packets);
        completer.sendDone(qp);
    }

    private void refused(Qp qp, Qp peer, Answer answer, long nowNanos) {
        error.copyFrom(responder.error());
        RequestCheck.nameRevoked(qp, error);
        switch (answer) {
            case DROP -> await(qp, nowNanos);
            case RNR_NAK -> {
                qp.context().count(Counter.RNR_NAK_RETRY_ERR);
                if (qp.rnrRetry() != FOR_EVER && !qp.sends().takeRnrRetry()) {
                    qp.context().count(Counter.REQ_RNR_RETRIES_EXCEEDED);
                    completer.sendFailed(qp, VerbsStatus.RNR_RETRY_EXC_ERR, error);
                } else {
                    qp.context().awaitsReceive(nowNanos);
                    qp.sends().suspend(SendQueue.Wait.RNR);
                    timers.start(qp.index(), nowNanos, rnrDelayNanos(qp, peer));
                }
            }
            case NAK_INVALID_REQUEST -> {
                qp.context().count(Counter.REQ_REMOTE_INVALID_REQUEST);
                completer.sendFailed(qp, VerbsStatus.REM_INV_REQ_ERR, error);
            }
            case NAK_REMOTE_ACCESS -> {
                qp.context().count(Counter.REQ_REMOTE_ACCESS_ERRORS);
                completer.sendFailed(qp, VerbsStatus.REM_ACCESS_ERR, error);
                lockout.missed(qp, peer);
            }
            case NAK_REMOTE_OPERATION -> completer.sendFailed(qp, VerbsStatus.REM_OP_ERR, error);
            case ACK -> throw new IllegalStateException("an ACK is no refusal");
        }
    }

    // A requester with infinite retries does not back off: the responder's timer sets each wait.
    private static long rnrDelayNanos(Qp qp, Qp peer) {
        return qp.rnrRetry() == FOR_EVER
                ? RnrDelay.nanos(peer.minRnrTimer())
                : RnrDelay.nanos(peer.minRnrTimer(), qp.sends().rnrRetriesTaken() - 1);
    }

    private long localError(Qp qp) {
        RequestCheck.nameRevoked(qp, error);
        completer.sendFailed(qp, VerbsStatus.LOC_PROT_ERR, error);
        return 0;
    }

    private void await(Qp qp, long nowNanos) {
        qp.context().awaitsNoReceive();
        qp.sends().suspend(SendQueue.Wait.ACK);
        if (qp.timeoutCode() != 0) {
            timers.start(qp.index(), nowNanos, RnrDelay.ackTimeoutNanos(qp.timeoutCode()));
        }
    }
}
