package io.hyperverbs.lab.walk.model;

import static io.hyperverbs.verbs.VerbsStatus.LOC_LEN_ERR;
import static io.hyperverbs.verbs.VerbsStatus.LOC_PROT_ERR;
import static io.hyperverbs.verbs.VerbsStatus.LOC_QP_OP_ERR;
import static io.hyperverbs.verbs.VerbsStatus.MW_BIND_ERR;

import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion.Opcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What all transports do alike: checks before a packet leaves, windows, and moving bytes. */
final class ModelTransfers {
    private final long maxMessageBytes;
    private final ModelMemory memory;
    private final Outcomes outcomes;

    ModelTransfers(HcaFacts hca, ModelMemory memory, Outcomes outcomes) {
        this.maxMessageBytes = hca.maxMessageBytes();
        this.memory = memory;
        this.outcomes = outcomes;
    }

    /** Checks that no packet is sent before. */
    Set<VerbsStatus> localFaults(ModelQp qp, ModelSend send) {
        Set<VerbsStatus> faults = EnumSet.noneOf(VerbsStatus.class);
        StepVerb verb = send.verb();
        if (verb.isAtomic() && (send.lengthBytes() != Long.BYTES || send.pieces.size() != 1)) {
            faults.add(LOC_LEN_ERR);
        }
        if (send.lengthBytes() > maxMessageBytes) {
            faults.add(LOC_LEN_ERR);
        }
        if (verb.returnsData() && send.isInline()) {
            faults.add(LOC_QP_OP_ERR);
        }
        if (verb.returnsData()) {
            if (qp.value(QpAttribute.MAX_QP_RD_ATOMIC) == 0) {
                faults.add(LOC_QP_OP_ERR);
            }
        } else if (faults.isEmpty() && !send.isInline() && !serve(qp.pd, send.pieces, 0)) {
            faults.add(LOC_PROT_ERR);
        }
        return faults;
    }

    /** A bind or an invalidation, which sends nothing. */
    void changeWindow(ModelQp qp, ModelSend send) {
        boolean binds = send.verb() == StepVerb.BIND;
        if (binds ? binds(qp, send) : ends(qp, send)) {
            outcomes.sent(qp, binds ? Opcode.BIND_MW : Opcode.LOCAL_INV, -1);
        } else {
            outcomes.failSend(qp, MW_BIND_ERR);
        }
    }

    private static boolean binds(ModelQp qp, ModelSend send) {
        SendRequest request = send.request;
        return send.window != null && send.window.bind(qp, send.remote, request.bindAccess(), send.bindTag);
    }

    private static boolean ends(ModelQp qp, ModelSend send) {
        ModelWindowKey key = ended(send, qp);
        if (key != null) {
            key.window().unbind();
        }
        return key != null;
    }

    /** The key of a window that a request ends where it is carried out; null if it may not. */
    static @Nullable ModelWindowKey ended(ModelSend send, ModelQp at) {
        return send.remote.key() instanceof ModelWindowKey key && key.isEndedBy(at) ? key : null;
    }

    /**
     * A message lands in the receive at the head, which has room for it, and ends what it names.
     *
     * @param pieces of the receive, behind the header if there is one
     * @param length with the header
     * @param from the sender of a datagram, else null
     */
    void lands(ModelQp peer, ModelSend send, List<Span> pieces, long length, @Nullable ModelQp from) {
        ModelWindowKey ended = null;
        if (send.verb() == StepVerb.SEND_INV) {
            ended = Objects.requireNonNull(ended(send, peer));
            ended.window().unbind();
        }
        memory.scatter(payload(send), pieces, sources(send));
        outcomes.received(peer, Opcode.RECV, (int) length, send, ended, from);
    }

    /** A write is done; with immediate data it takes the receive at the head. */
    void write(ModelQp peer, ModelSend send) {
        memory.scatter(payload(send), List.of(send.remote), sources(send));
        if (send.verb() == StepVerb.WRITE_IMM) {
            outcomes.received(peer, Opcode.RECV_RDMA_WITH_IMM, (int) send.lengthBytes(), send, null, null);
        }
    }

    static boolean serve(ModelPd pd, List<Span> pieces, int rights) {
        return pieces.stream().allMatch(piece -> piece.serves(pd, rights));
    }

    /** Pieces of a receive that the message does not reach are not looked at. */
    static boolean servesReached(ModelReceive receive, ModelQp peer, long length) {
        long left = length;
        for (Span piece : receive.pieces()) {
            Span reached = piece.first((int) left);
            if (!reached.serves(peer.receivePd(), Access.LOCAL_WRITE.bit())) {
                return false;
            }
            left -= reached.length();
        }
        return true;
    }

    /**
     * How a receive fails that has no room for a message: if its pieces are no good either, packets may find that
     * before the end comes.
     */
    static Set<VerbsStatus> tooLong(ModelReceive receive, ModelQp peer) {
        return servesReached(receive, peer, receive.lengthBytes())
                ? EnumSet.of(LOC_LEN_ERR)
                : EnumSet.of(LOC_LEN_ERR, LOC_PROT_ERR);
    }

    /** What a failed transfer has written where it may is not specified: its first packets may have come before the fault. */
    void leaveOpen(List<Span> pieces, ModelPd pd) {
        for (Span piece : pieces) {
            memory.leaveOpen(piece.served(pd, Access.LOCAL_WRITE.bit()));
        }
    }

    private short[] payload(ModelSend send) {
        return send.isInline() ? send.inline : memory.gather(send.pieces);
    }

    private static List<Span> sources(ModelSend send) {
        return send.isInline() ? List.of() : send.pieces;
    }

    static int packets(ModelQp qp, long length) {
        long mtu = qp.value(QpAttribute.PATH_MTU);
        return (int) Math.max(1, (length + mtu - 1) / mtu);
    }
}
