package io.hyperverbs.toolstack.walk.model;

import static io.hyperverbs.toolstack.walk.model.Model.there;

import io.hyperverbs.toolstack.walk.step.ObjectKind;
import io.hyperverbs.toolstack.walk.step.Slots;
import io.hyperverbs.toolstack.walk.step.Step;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The slots of a model and what is in them. For one thread. */
public final class Objects {
    private final @Nullable ModelPd[] pds = new ModelPd[Slots.PDS];
    private final @Nullable ModelCq[] cqs = new ModelCq[Slots.CQS];
    private final @Nullable ModelQp[] qps = new ModelQp[Slots.QPS];

    /** Those that were there last, alive or not: their keys are still used. */
    private final @Nullable ModelRegion[] regions = new ModelRegion[Slots.REGIONS];

    @Nullable ModelPd pd(int slot) {
        return pds[slot];
    }

    @Nullable ModelCq cq(int slot) {
        return cqs[slot];
    }

    /** The queue pair in a slot, or null; for a number that is no slot, too. */
    public @Nullable ModelQp qp(long slot) {
        return slot >= 0 && slot < qps.length ? qps[(int) slot] : null;
    }

    @Nullable ModelRegion region(int slot) {
        ModelRegion region = regions[slot];
        return region != null && region.alive ? region : null;
    }

    @Nullable ModelRegion lastRegion(int slot) {
        return regions[slot];
    }

    List<ModelQp> qps() {
        List<ModelQp> there = new ArrayList<>();
        for (ModelQp qp : qps) {
            if (qp != null) {
                there.add(qp);
            }
        }
        return there;
    }

    void put(int slot, ModelPd pd) {
        pds[slot] = pd;
    }

    void put(int slot, ModelCq cq) {
        cqs[slot] = cq;
    }

    void put(int slot, ModelRegion region) {
        regions[slot] = region;
    }

    void put(int slot, ModelQp qp) {
        qps[slot] = qp;
    }

    void remove(ObjectKind kind, int slot) {
        switch (kind) {
            case PD -> pds[slot] = null;
            case CQ -> cqs[slot] = null;
            case REGION -> {
                ModelRegion region = there(regions[slot]);
                region.alive = false;
                region.pd.children--;
            }
            case QP -> {
                ModelQp qp = there(qps[slot]);
                qp.alive = false;
                qp.pd.children--;
                qp.sendCq.users--;
                qp.receiveCq.users--;
                qps[slot] = null;
            }
        }
    }

    /** Whether something else stands on it. */
    boolean isUsed(ObjectKind kind, int slot) {
        return switch (kind) {
            case PD -> there(pds[slot]).children > 0;
            case CQ -> there(cqs[slot]).users > 0;
            case REGION, QP -> false;
        };
    }

    /** Whether the slots of a step are as it needs them. */
    boolean fits(Step step, int domains) {
        return switch (step) {
            case Step.OpenPd s -> pds[s.pd()] == null;
            case Step.OpenCq s -> cqs[s.cq()] == null;
            case Step.OpenRegion s -> pds[s.pd()] != null && region(s.region()) == null;
            case Step.OpenQp s ->
                    qps[s.qp()] == null
                            && pds[s.pd()] != null
                            && serves(s.sendCq(), s.pd(), domains)
                            && serves(s.receiveCq(), s.pd(), domains);
            case Step.PostSend s -> !s.requests().isEmpty();
            case Step.PostReceive s -> !s.receives().isEmpty();
            case Step.Close s -> true;
            case Step.Modify s -> !holdsUp(s);
            case Step.Query s -> true;
            case Step.Fill s -> true;
        };
    }

    /** Whether it drains a queue whose head waits: if that one was begun, nobody can tell. */
    private boolean holdsUp(Step.Modify step) {
        Long state = step.values().get(QpAttribute.STATE);
        ModelQp qp = qps[step.qp()];
        return state != null
                && state == QpState.SQD.code()
                && qp != null
                && qp.state == QpState.RTS
                && !qp.sends.isEmpty();
    }

    /** Of the same domain, and large enough that it cannot overrun, which would be a race. */
    private boolean serves(int cqSlot, int pdSlot, int domains) {
        ModelCq cq = cqs[cqSlot];
        return cq != null
                && cq.entries >= Slots.CQ_ENTRIES
                && Slots.domainOf(cq.context, domains)
                        == Slots.domainOf(there(pds[pdSlot]).context, domains);
    }

    /** How many objects of a kind a domain has. */
    int count(ObjectKind kind, int domain, int domains) {
        int count = 0;
        for (int slot = 0; slot < Slots.count(kind); slot++) {
            int context = contextOf(kind, slot);
            count += context >= 0 && Slots.domainOf(context, domains) == domain ? 1 : 0;
        }
        return count;
    }

    /** The context of what is in a slot, or -1 if nothing is. */
    public int contextOf(ObjectKind kind, int slot) {
        ModelCq cq = kind == ObjectKind.CQ ? cqs[slot] : null;
        if (cq != null) {
            return cq.context;
        }
        ModelRegion region = kind == ObjectKind.REGION ? region(slot) : null;
        ModelQp qp = kind == ObjectKind.QP ? qps[slot] : null;
        ModelPd pd = kind == ObjectKind.PD ? pds[slot] : null;
        if (region != null) {
            pd = region.pd;
        }
        if (qp != null) {
            pd = qp.pd;
        }
        return pd == null ? -1 : pd.context;
    }

    /** Whether a completion queue is one that queue pairs can be made with. */
    public boolean isLarge(int cqSlot) {
        ModelCq cq = cqs[cqSlot];
        return cq != null && cq.entries >= Slots.CQ_ENTRIES;
    }

    /** The last region of a slot, with its place in the memory of its domain; null if none was. */
    public @Nullable ModelRegion regionOf(int slot) {
        return regions[slot];
    }

    /** Whether a queue pair's requests reach the one it is connected to. */
    public boolean isConnected(int slot) {
        ModelQp qp = qps[slot];
        return qp != null
                && qp.state == QpState.RTS
                && qp.peer != null
                && qp.peer.listens()
                && qp.peer.peer == qp;
    }

    /** Whether the queue pair in one slot names that in the other as its peer. */
    public boolean pointsTo(int from, int to) {
        ModelQp qp = qps[from];
        return qp != null && qp.peer != null && qp.peer == qps[to];
    }

    /** Whether the queue pair in one slot waits for that in the other as it is now. */
    public boolean calls(int from, int to) {
        ModelQp qp = qps[from];
        ModelQp called = qps[to];
        return qp != null
                && called != null
                && qp.peer == called
                && qp.listens()
                && qp.receivePsn == called.startPsn();
    }

    /** The slot of the queue pair that {@code slot} is connected to, or -1. */
    public int peerOf(int slot) {
        for (int i = 0; i < qps.length; i++) {
            if (pointsTo(slot, i)) {
                return i;
            }
        }
        return -1;
    }
}
