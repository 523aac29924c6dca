package io.hyperverbs.hca.rc;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.hyperverbs.hca.capture.MessageCapture;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.Fabric;
import io.hyperverbs.hca.transport.KeyLockout;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.Preemption;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Pkey;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The fabric of reliable connections within one HCA: direct placement. A request is one packet of any
 * length, moved at most {@link #CHUNK_BYTES} at a time, and less for newcomers, straight from the memory of one side
 * into that of the other. Both sides' keys are checked again before each chunk, so that nothing lands after a
 * deregistration. The answer is there when the last byte is: reads and atomics outstanding are at most one, and a fence
 * has nothing to wait for.
 */
public final class Loopback implements Fabric {
    /** Bytes between two looks at anything else. */
    public static final long CHUNK_BYTES = 64 * 1024;

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);

    private final QpTable qps;
    private final PortTable ports;
    private final ContextMemory contexts;
    private final Responder responder;
    private final Answers answers;
    private final RequestCheck check;
    private final Preemption preemption;
    private final KeyLockout lockout;
    private final LoopbackPackets packets;
    private final Message message = new Message();
    private final SgList local;
    private final SgList result;
    private final MemorySegment resultWord = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final CompletionError error = new CompletionError();

    public Loopback(
            QpTable qps,
            PortTable ports,
            ContextMemory contexts,
            Responder responder,
            Answers answers,
            RequestCheck check,
            Preemption preemption,
            KeyLockout lockout,
            MessageCapture capture) {
        this.qps = qps;
        this.ports = ports;
        this.contexts = contexts;
        this.responder = responder;
        this.answers = answers;
        this.check = check;
        this.preemption = preemption;
        this.lockout = lockout;
        this.packets = new LoopbackPackets(capture);
        this.local = new SgList(contexts.memory());
        this.result = new SgList(contexts.memory());
        result.setPrivate(resultWord, 0, Long.BYTES);
    }

    @Override
    public long carry(Qp qp, long nowNanos) {
        message.describe(qp);
        boolean reads = message.isRead() || message.isAtomic();
        if (!reads && !check.local(qp, 0, local, error)) {
            answers.localError(qp, error);
            return 0;
        }
        Qp peer = qp.route().destinationPort() != 0 ? qps.byNumber(qp.destinationQpn()) : null;
        if (peer == null) {
            packets.unanswered(qp, message, local);
            answers.silence(qp, nowNanos);
            return 0;
        }
        qp.sends().bindPeer(peer.incarnation());
        if (!isExpected(peer)) {
            packets.unanswered(qp, message, local);
            answers.silence(qp, nowNanos);
            return 0;
        }
        Answer answer = responder.admit(peer, message);
        if (answer != Answer.ACK) {
            refused(qp, peer, answer, nowNanos);
            return 0;
        }
        Answers.progressed(qp);
        return execute(qp, peer, reads);
    }

    private boolean isExpected(Qp peer) {
        if (!message.isFromPeerOf(peer)) {
            contexts.count(Counter.UNCONNECTED_REQUESTS);
            return false;
        }
        if (!Pkey.match(peer.route().pkey(), message.pkey)) {
            ports.badPkey(peer.port());
            return false;
        }
        if (peer.rqPsn() != message.psn) {
            peer.context().count(Counter.OUT_OF_SEQUENCE);
            return false;
        }
        return true;
    }

    private void refused(Qp qp, Qp peer, Answer answer, long nowNanos) {
        packets.refused(qp, peer, message, local, answer);
        if (answer == Answer.DROP) {
            answers.silence(qp, nowNanos);
            return;
        }
        error.copyFrom(responder.error());
        RequestCheck.nameRevoked(qp, error);
        answers.refused(qp, answer, error, peer.minRnrTimer(), nowNanos);
        if (answer == Answer.NAK_REMOTE_ACCESS) {
            lockout.missed(qp, peer);
        }
    }

    private long execute(Qp qp, Qp peer, boolean reads) {
        SendQueue sends = qp.sends();
        long chunk = Math.min(CHUNK_BYTES, sends.lengthBytes() - sends.doneBytes());
        if (message.isAtomic()) {
            resultWord.set(LONG, 0, responder.execute(message));
        }
        if (reads && !check.local(qp, Access.LOCAL_WRITE.bit(), local, error)) {
            peer.advanceRqPsn(message.packets);
            answers.localError(qp, error);
            return 0;
        }
        if (message.isAtomic()) {
            SgList.copy(result, local, 0, Long.BYTES);
        } else if (message.isRead()) {
            chunk = SgList.copy(responder.place(), local, sends.doneBytes(), chunk, preemption);
        } else {
            chunk = SgList.copy(local, responder.place(), sends.doneBytes(), chunk, preemption);
        }
        packets.moved(qp, message, local, sends.doneBytes(), chunk, resultWord);
        sends.advance(chunk);
        contexts.countTraffic(Counter.PORT_XMIT_DATA, chunk);
        if (sends.doneBytes() == sends.lengthBytes()) {
            finish(qp, peer);
        }
        return chunk;
    }

    private void finish(Qp qp, Qp peer) {
        contexts.countTraffic(Counter.PORT_XMIT_PACKETS, message.packets);
        peer.advanceRqPsn(message.packets);
        Answer answer = responder.finish(peer, message);
        packets.finished(qp, peer, message, answer);
        if (answer != Answer.ACK) {
            error.copyFrom(responder.error());
            answers.refused(qp, answer, error, 0, 0);
            return;
        }
        qp.advanceSqPsn(message.packets);
        answers.done(qp);
    }
}
