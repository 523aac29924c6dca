package io.hyperverbs.lab.walk.choose;

import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.model.ModelQp;
import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Steps whose outcome is certain on a wire too:
 *
 * <ul>
 *   <li>A queue pair does not talk to itself, as its next request may leave before the last one arrives, and nobody
 *       to one that talks with others: packets do not say which queue pair sent them.
 *   <li>Both ends of a connection have one path MTU and expect each other's PSN: else a packet may be taken for a
 *       doubled one.
 *   <li>What follows a read or an atomic has a fence: else it may be carried out before the answer is there.
 *   <li>No request takes bytes that one before it writes at its peer: it may leave before that.
 *   <li>A write with immediate data is one packet: of a longer one the first packets may be placed or refused before
 *       it takes a receive.
 *   <li>A message has less than 2^23 packets, as PSNs cannot tell more apart.
 *   <li>UC sends nothing that invalidates: IBA has no packet for that.
 *   <li>On a wire that loses packets there is RC alone, which says when a request has ended, and does not give up.
 * </ul>
 */
public final class WireSteps implements StepSource {
    private static final long MOST_PACKETS = (1L << 23) - 1;

    private final StepSource all;
    private final boolean loses;

    /**
     * @param loses whether the wire loses packets
     */
    public WireSteps(StepSource all, boolean loses) {
        this.all = all;
        this.loses = loses;
    }

    @Override
    public Optional<Step> next(Model model) {
        while (true) {
            Optional<Step> next = all.next(model).map(step -> certain(model, step));
            if (next.isEmpty() || !isOpen(model, next.get())) {
                return next;
            }
        }
    }

    private static boolean isOpen(Model model, Step step) {
        return switch (step) {
            case Step.Modify s -> meetsOthers(model, s);
            case Step.PostSend s -> isOpen(model, s);
            default -> false;
        };
    }

    private static boolean meetsOthers(Model model, Step.Modify step) {
        Long named = step.values().get(QpAttribute.DEST_QPN);
        ModelQp qp = model.objects().qp(step.qp());
        if (named == null || qp == null) {
            return false;
        }
        ModelQp peer = model.objects().qp(named);
        boolean meets = peer == qp || (peer != null && peer.peer() != null && peer.peer() != qp);
        for (int slot = 0; slot < Slots.QPS; slot++) {
            ModelQp other = model.objects().qp(slot);
            ModelQp called = other == null || other == qp ? null : other.peer();
            meets |= called != null && (called == peer || (called == qp && other != peer));
        }
        return meets;
    }

    private static boolean isOpen(Model model, Step.PostSend step) {
        ModelQp qp = model.objects().qp(step.qp());
        return qp != null && (model.overtakes(step) || step.requests().stream().anyMatch(one -> isOpen(qp, one)));
    }

    private static boolean isOpen(ModelQp qp, SendRequest request) {
        long mtu = qp.attributes().getOrDefault(QpAttribute.PATH_MTU, 0L);
        return switch (request.verb()) {
            case WRITE_IMM -> mtu > 0 && request.lengthBytes() > mtu;
            case SEND_INV -> qp.type() == QpType.UC;
            case DATAGRAM, DATAGRAM_IMM -> request.remote().offset() == qp.slot();
            default -> mtu > 0 && request.lengthBytes() > MOST_PACKETS * mtu;
        };
    }

    private Step certain(Model model, Step step) {
        return switch (step) {
            case Step.Modify s -> certain(model, s);
            case Step.OpenQp s when loses -> reliable(s);
            case Step.PostSend s -> fenced(model, s);
            default -> step;
        };
    }

    private static Step fenced(Model model, Step.PostSend step) {
        ModelQp qp = model.objects().qp(step.qp());
        boolean waits = qp != null && qp.waitsForData();
        List<SendRequest> requests = new ArrayList<>();
        for (SendRequest one : step.requests()) {
            int flags = waits ? one.flags() | SendFlags.FENCE : one.flags();
            requests.add(new SendRequest(one.verb(), flags, one.pieces(), one.remote(), one.first(), one.second()));
            waits |= one.verb().returnsData();
        }
        return new Step.PostSend(step.qp(), requests);
    }

    private static Step reliable(Step.OpenQp s) {
        return new Step.OpenQp(
                s.qp(),
                QpType.RC,
                s.pd(),
                s.srq(),
                s.sendCq(),
                s.receiveCq(),
                s.sends(),
                s.receives(),
                s.pieces(),
                s.inlineBytes(),
                /* allSignalled= */ true);
    }

    private Step certain(Model model, Step.Modify step) {
        Map<QpAttribute, Long> values = new EnumMap<>(QpAttribute.class);
        values.putAll(step.values());
        values.computeIfPresent(QpAttribute.RQ_PSN, (name, psn) -> psn == Moves.WRONG_PSN ? 0 : psn);
        if (loses) {
            values.computeIfPresent(
                    QpAttribute.RETRY_CNT,
                    (name, count) -> count >= 0 && count < Moves.FOR_EVER ? Moves.FOR_EVER : count);
        }
        ModelQp peer = model.objects().qp(values.getOrDefault(QpAttribute.DEST_QPN, -1L));
        Long mtu = peer == null ? null : peer.attributes().get(QpAttribute.PATH_MTU);
        if (mtu != null) {
            values.computeIfPresent(QpAttribute.PATH_MTU, (name, own) -> mtu);
        }
        return new Step.Modify(step.qp(), values);
    }
}
