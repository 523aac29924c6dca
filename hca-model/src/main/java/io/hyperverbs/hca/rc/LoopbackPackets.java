package io.hyperverbs.hca.rc;

import io.hyperverbs.hca.capture.MessageCapture;
import io.hyperverbs.hca.capture.PacketFate;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.wire.AethSyndrome;
import java.lang.foreign.MemorySegment;

/** Shows captures what a reliable connection within the HCA would say on a wire. Engine thread only. */
record LoopbackPackets(MessageCapture capture) {
    /** Nobody answers. */
    void unanswered(Qp qp, Message message, SgList local) {
        if (capture.isOn()) {
            request(qp, message, local, PacketFate.UNANSWERED);
        }
    }

    /** The responder says no. */
    void refused(Qp qp, Qp peer, Message message, SgList local, Answer answer) {
        if (!capture.isOn()) {
            return;
        }
        request(qp, message, local, answer == Answer.DROP ? PacketFate.UNANSWERED : PacketFate.INSIDE);
        nak(qp, peer, message, qp.sends().doneBytes(), answer);
    }

    /** One packet, with which the answer has to do. */
    private void request(Qp qp, Message message, SgList local, PacketFate fate) {
        if (message.isRead() || message.isAtomic()) {
            capture.question(qp, message, fate);
        } else {
            long done = qp.sends().doneBytes();
            capture.data(qp, message, local, done, Math.min(qp.pathMtuBytes(), message.lengthBytes - done), fate);
        }
    }

    private void nak(Qp qp, Qp peer, Message message, long done, Answer answer) {
        int syndrome = switch (answer) {
            case ACK, DROP -> AethSyndrome.ack();
            case RNR_NAK -> AethSyndrome.rnrNak(peer.minRnrTimer());
            case NAK_INVALID_REQUEST -> AethSyndrome.nak(AethSyndrome.INVALID_REQUEST);
            case NAK_REMOTE_ACCESS -> AethSyndrome.nak(AethSyndrome.REMOTE_ACCESS_ERROR);
            case NAK_REMOTE_OPERATION -> AethSyndrome.nak(AethSyndrome.REMOTE_OPERATIONAL_ERROR);
        };
        if (answer != Answer.DROP) {
            capture.answer(qp, message, done, syndrome);
        }
    }

    /**
     * So many bytes behind the first {@code done} were moved.
     *
     * @param local the memory of the requester's side
     * @param original what was there before an atomic, 8 bytes
     */
    void moved(Qp qp, Message message, SgList local, long done, long bytes, MemorySegment original) {
        if (!capture.isOn()) {
            return;
        }
        boolean asks = message.isRead() || message.isAtomic();
        if (!asks) {
            capture.data(qp, message, local, done, bytes, PacketFate.INSIDE);
            return;
        }
        if (done == 0) {
            capture.question(qp, message, PacketFate.INSIDE);
        }
        if (message.isRead()) {
            capture.readData(qp, message, local, done, bytes);
        } else {
            capture.atomicAnswer(qp, message, original.get(Loopback.LONG, 0));
        }
    }

    /** All is there, and the responder says what it says of that. */
    void finished(Qp qp, Qp peer, Message message, Answer answer) {
        if (!capture.isOn() || (answer == Answer.ACK && (message.isRead() || message.isAtomic()))) {
            return;
        }
        long last = Math.max(0, message.packets - 1) * qp.pathMtuBytes();
        if (answer == Answer.ACK) {
            boolean isShared = peer.receives().shared() != null;
            int syndrome = isShared
                    ? AethSyndrome.ack()
                    : AethSyndrome.ack(peer.receives().posted());
            capture.answer(qp, message, last, syndrome);
        } else {
            nak(qp, peer, message, last, answer);
        }
    }
}
