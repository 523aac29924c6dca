package io.hyperverbs.lab.walk.model;

import io.hyperverbs.lab.walk.step.Place;
import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/**
 * What posting answers: {@code ibv_post_send(3)}, {@code ibv_post_recv(3)}. The first request that
 * cannot be taken says why; then the state, as far as the program knows it.
 */
final class PostRules {
    private PostRules() {}

    static VerbsStatus send(ModelQp qp, List<SendRequest> requests, ModelObjects objects) {
        int room = qp.sendRoom() - qp.sendSlotsTaken();
        for (SendRequest request : requests) {
            ModelWindow window = request.verb() == StepVerb.BIND ? objects.window(request.window()) : null;
            if (window != null && !window.isTypeTwo()) {
                return VerbsStatus.EINVAL;
            }
            if (room-- <= 0) {
                return VerbsStatus.ENOMEM;
            }
            if (request.verb().isDatagram() && qp.type != QpType.UD) {
                return VerbsStatus.EINVAL;
            }
            if (!canHold(qp, request)) {
                return VerbsStatus.EINVAL;
            }
        }
        return send(qp, requests.size());
    }

    /** So many requests that the queue pair can hold. */
    static VerbsStatus send(ModelQp qp, int count) {
        if (qp.sendRoom() - qp.sendSlotsTaken() < count) {
            return VerbsStatus.ENOMEM;
        }
        return qp.known.code() < QpState.RTS.code() ? VerbsStatus.EINVAL : VerbsStatus.SUCCESS;
    }

    static VerbsStatus receive(ModelQp qp, List<List<Place>> receives) {
        if (qp.srq != null) {
            return VerbsStatus.EINVAL;
        }
        VerbsStatus form = receive(qp.receiveRoom - qp.receives.size(), qp.pieces, receives);
        boolean known = form == VerbsStatus.SUCCESS && qp.known == QpState.RESET;
        return known ? VerbsStatus.EINVAL : form;
    }

    static VerbsStatus receive(ModelSrq srq, List<List<Place>> receives) {
        return receive(srq.room - srq.receives.size(), srq.pieces, receives);
    }

    private static VerbsStatus receive(int free, int pieces, List<List<Place>> receives) {
        int room = free;
        for (List<Place> receive : receives) {
            if (room-- <= 0) {
                return VerbsStatus.ENOMEM;
            }
            if (!arePieces(pieces, receive)) {
                return VerbsStatus.EINVAL;
            }
        }
        return VerbsStatus.SUCCESS;
    }

    private static boolean canHold(ModelQp qp, SendRequest request) {
        return request.isInline()
                ? request.pieces().stream().allMatch(PostRules::isMemory) && request.lengthBytes() <= qp.inlineBytes
                : arePieces(qp.pieces, request.pieces());
    }

    private static boolean arePieces(int most, List<Place> pieces) {
        return pieces.size() <= most && pieces.stream().allMatch(one -> one.length() >= 0);
    }

    /** Inline payload is read by the library, which knows its memory. */
    private static boolean isMemory(Place place) {
        return place.length() >= 0 && place.offset() >= 0 && place.offset() <= Slots.ARENA_BYTES - place.length();
    }
}
