package io.hyperverbs.lab.walk.step;

import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One verb of a walk. Objects are named by slots; a step whose slots are not as it needs them
 * (empty, or taken) does nothing, so that each part of a sequence is a sequence.
 */
public sealed interface Step {
    /** {@code ibv_alloc_pd} into an empty slot. */
    record OpenPd(int pd, int context) implements Step {}

    /** {@code ibv_create_cq} into an empty slot. */
    record OpenCq(int cq, int context, int entries) implements Step {}

    /** {@code ibv_reg_mr} of a part of the shared memory into an empty slot. */
    record OpenRegion(int region, int pd, int offset, int length, int access) implements Step {}

    /** {@code ibv_alloc_mw} into an empty slot; type 1 or 2. */
    record OpenWindow(int window, int pd, int type) implements Step {}

    /** {@code ibv_bind_mw}: the request is a bind, its tag unused. */
    record Bind(int qp, SendRequest request) implements Step {}

    /**
     * {@code ibv_create_ah} into an empty slot, without a global route.
     *
     * @param lid 0 for that of a domain's HCA, which one by the slot
     */
    record OpenAh(int ah, int pd, int lid, int serviceLevel) implements Step {}

    /** {@code ibv_create_srq} into an empty slot. */
    record OpenSrq(int srq, int pd, int receives, int pieces) implements Step {}

    /**
     * {@code ibv_create_qp} into an empty slot.
     *
     * @param type RC, UC or UD; RC alone has a shared receive queue
     * @param srq slot of the shared receive queue it takes from, or {@link Slots#NONE}
     */
    record OpenQp(
            int qp,
            QpType type,
            int pd,
            int srq,
            int sendCq,
            int receiveCq,
            int sends,
            int receives,
            int pieces,
            int inlineBytes,
            boolean allSignalled)
            implements Step {}

    /** Destroys what is in a slot. */
    record Close(SlotKind kind, int slot) implements Step {}

    /**
     * {@code ibv_modify_qp}. Some values are told by what they stand for: DEST_QPN names the slot
     * of the peer, RQ_PSN and SQ_PSN of 0 the PSN that the peer and this side begin with, AV of 0
     * the LID that leads to the peer. Other values go as they are.
     */
    record Modify(int qp, Map<QpAttribute, Long> values) implements Step {
        public Modify {
            EnumMap<QpAttribute, Long> copy = new EnumMap<>(QpAttribute.class);
            copy.putAll(values);
            values = Collections.unmodifiableMap(copy);
        }
    }

    /** {@code ibv_post_send} of a batch; wr_ids are given when it runs. */
    record PostSend(int qp, List<SendRequest> requests) implements Step {
        public PostSend {
            requests = List.copyOf(requests);
        }
    }

    /** {@code ibv_post_recv} of a batch. */
    record PostReceive(int qp, List<List<Place>> receives) implements Step {
        public PostReceive {
            receives = receives.stream().map(List::copyOf).toList();
        }
    }

    /** {@code ibv_post_srq_recv} of a batch. */
    record PostShared(int srq, List<List<Place>> receives) implements Step {
        public PostShared {
            receives = receives.stream().map(List::copyOf).toList();
        }
    }

    /** {@code ibv_modify_srq}, {@code IBV_SRQ_LIMIT}. */
    record ArmLimit(int srq, int limit) implements Step {}

    /** {@code ibv_modify_srq}, {@code IBV_SRQ_MAX_WR}. */
    record Resize(int srq, int receives) implements Step {}

    /** {@code ibv_query_srq}. */
    record QuerySrq(int srq) implements Step {}

    /** {@code ibv_query_qp}. */
    record Query(int qp) implements Step {}

    /** The program itself fills memory of its domain with bytes made from {@code seed}. */
    record Fill(int domain, int offset, int length, long seed) implements Step {}
}
