package io.hyperverbs.hca.uc;

import io.hyperverbs.hca.capture.MessageCapture;
import io.hyperverbs.hca.capture.PacketFate;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Fabric;
import io.hyperverbs.hca.transport.KeyLockout;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.Preemption;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.verbs.VerbsStatus;
import org.jspecify.annotations.Nullable;

/**
 * The fabric of unreliable connections within one HCA: direct placement, at most {@link #CHUNK_BYTES} at a time; keys
 * of both sides are checked again before each chunk. A request ends when its last byte has left, whatever became of it.
 */
public final class UcLoopback implements Fabric {
    private static final long CHUNK_BYTES = 64 * 1024;

    private final QpTable qps;
    private final PortTable ports;
    private final RequestCheck check;
    private final ContextMemory contexts;
    private final UcResponder responder;
    private final Completer completer;
    private final Preemption preemption;
    private final KeyLockout lockout;
    private final MessageCapture capture;
    private final Message message = new Message();
    private final SgList local;
    private final CompletionError error = new CompletionError();

    public UcLoopback(
            QpTable qps,
            PortTable ports,
            RequestCheck check,
            ContextMemory contexts,
            UcResponder responder,
            Completer completer,
            Preemption preemption,
            KeyLockout lockout,
            MessageCapture capture) {
        this.qps = qps;
        this.ports = ports;
        this.check = check;
        this.contexts = contexts;
        this.responder = responder;
        this.completer = completer;
        this.preemption = preemption;
        this.lockout = lockout;
        this.capture = capture;
        this.local = new SgList(contexts.memory());
    }

    @Override
    public long carry(Qp qp, long nowNanos) {
        SendQueue sends = qp.sends();
        message.describe(qp);
        if (!check.local(qp, 0, local, error)) {
            RequestCheck.nameRevoked(qp, error);
            completer.sendFailed(qp, VerbsStatus.LOC_PROT_ERR, error);
            return 0;
        }
        Qp peer = listener(qp);
        if (peer == null) {
            dropped(qp);
            sent(qp);
            Qp missed = responder.takeMissed();
            if (missed != null) {
                lockout.missed(qp, missed);
            }
            return 0;
        }
        long chunk = Math.min(CHUNK_BYTES, sends.lengthBytes() - sends.doneBytes());
        chunk = SgList.copy(local, responder.place(), sends.doneBytes(), chunk, preemption);
        if (capture.isOn()) {
            capture.data(qp, message, local, sends.doneBytes(), chunk, PacketFate.INSIDE);
        }
        sends.advance(chunk);
        contexts.countTraffic(Counter.PORT_XMIT_DATA, chunk);
        if (sends.doneBytes() == sends.lengthBytes()) {
            peer.advanceRqPsn(message.packets);
            responder.finish(peer, message);
            sent(qp);
        }
        return chunk;
    }

    /** One packet stands for the rest of the message. */
    private void dropped(Qp qp) {
        if (capture.isOn()) {
            long done = qp.sends().doneBytes();
            long bytes = Math.min(qp.pathMtuBytes(), message.lengthBytes - done);
            capture.data(qp, message, local, done, bytes, PacketFate.UNANSWERED);
        }
    }

    /** The peer that takes the next chunk; null if the message, or the rest of it, is dropped. */
    private @Nullable Qp listener(Qp qp) {
        // Of what came over a wire: nobody here has missed that.
        Qp _ = responder.takeMissed();
        SendQueue sends = qp.sends();
        Qp peer = qp.route().destinationPort() != 0 ? qps.byNumber(qp.destinationQpn()) : null;
        boolean first = sends.doneBytes() == 0;
        if (peer == null || (!first && !sends.isBoundTo(peer.incarnation()))) {
            contexts.count(Counter.RX_DROPPED_MESSAGES);
            return null;
        }
        sends.bindPeer(peer.incarnation());
        return isForIt(peer) && responder.admit(peer, message) ? peer : null;
    }

    private boolean isForIt(Qp peer) {
        if (!message.isFromPeerOf(peer)) {
            contexts.count(Counter.UNCONNECTED_REQUESTS);
            contexts.count(Counter.RX_DROPPED_MESSAGES);
            return false;
        }
        if (!Pkey.match(peer.route().pkey(), message.pkey)) {
            ports.badPkey(peer.port());
            contexts.count(Counter.RX_DROPPED_MESSAGES);
            return false;
        }
        if (peer.rqPsn() != message.psn) {
            peer.context().count(Counter.OUT_OF_SEQUENCE);
            peer.resynchronize(message.psn);
        }
        return true;
    }

    private void sent(Qp qp) {
        contexts.countTraffic(Counter.PORT_XMIT_PACKETS, message.packets);
        qp.advanceSqPsn(message.packets);
        completer.sendDone(qp);
    }
}
