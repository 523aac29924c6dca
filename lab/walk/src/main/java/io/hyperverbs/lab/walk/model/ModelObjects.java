package io.hyperverbs.lab.walk.model;

import static io.hyperverbs.lab.walk.model.Model.there;

import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.SlotKind;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The slots of a model and what is in them. For one thread. */
public final class ModelObjects {
    private final Map<SlotKind, @Nullable ModelObject[]> slots = new EnumMap<>(SlotKind.class);

    ModelObjects() {
        for (SlotKind kind : SlotKind.values()) {
            slots.put(kind, new ModelObject[Slots.count(kind)]);
        }
    }

    /** What was put there last, alive or not; null if nothing was. */
    private @Nullable ModelObject last(SlotKind kind, int slot) {
        return there(slots.get(kind))[slot];
    }

    /** What is in a slot, or null. */
    @Nullable
    ModelObject at(SlotKind kind, int slot) {
        ModelObject object = last(kind, slot);
        return object != null && object.isAlive() ? object : null;
    }

    void put(SlotKind kind, int slot, ModelObject object) {
        there(slots.get(kind))[slot] = object;
    }

    @Nullable
    ModelPd pd(int slot) {
        return (ModelPd) at(SlotKind.PD, slot);
    }

    @Nullable
    ModelCq cq(int slot) {
        return (ModelCq) at(SlotKind.CQ, slot);
    }

    /** The queue pair in a slot, or null; for a number that is no slot, too. */
    public @Nullable ModelQp qp(long slot) {
        return slot >= 0 && slot < Slots.QPS ? (ModelQp) at(SlotKind.QP, (int) slot) : null;
    }

    /** The last region of a slot, alive or not: its keys are still used. Null if none was. */
    public @Nullable ModelRegion regionOf(int slot) {
        return (ModelRegion) last(SlotKind.REGION, slot);
    }

    /** The shared receive queue in a slot, or null; for {@link Slots#NONE}, too. */
    public @Nullable ModelSrq srq(int slot) {
        return slot == Slots.NONE ? null : (ModelSrq) at(SlotKind.SRQ, slot);
    }

    /** The last window of a slot, alive or not: its keys are still used. Null if none was. */
    public @Nullable ModelWindow windowOf(int slot) {
        return (ModelWindow) last(SlotKind.WINDOW, slot);
    }

    /** The window in a slot, or null. */
    public @Nullable ModelWindow window(int slot) {
        return (ModelWindow) at(SlotKind.WINDOW, slot);
    }

    /** The last address handle of a slot, alive or not; null for a number that is no slot, too. */
    public @Nullable ModelAh ahOf(int slot) {
        return slot >= 0 && slot < Slots.AHS ? (ModelAh) last(SlotKind.AH, slot) : null;
    }

    /** A queue pair goes to RESET or is destroyed. */
    void freeWindowsOf(ModelQp qp) {
        for (int slot = 0; slot < Slots.WINDOWS; slot++) {
            ModelWindow window = windowOf(slot);
            if (window != null) {
                window.leaves(qp);
            }
        }
    }

    List<ModelQp> qps() {
        List<ModelQp> there = new ArrayList<>();
        for (int slot = 0; slot < Slots.QPS; slot++) {
            ModelQp qp = qp(slot);
            if (qp != null) {
                there.add(qp);
            }
        }
        return there;
    }

    /** Whether the slots of a step are as it needs them. */
    boolean fits(Step step, int domains) {
        return switch (step) {
            case Step.OpenPd s -> at(SlotKind.PD, s.pd()) == null;
            case Step.OpenCq s -> at(SlotKind.CQ, s.cq()) == null;
            case Step.OpenRegion s -> at(SlotKind.REGION, s.region()) == null;
            case Step.OpenQp s ->
                at(SlotKind.QP, s.qp()) == null
                        && (s.type() == QpType.RC || s.srq() == Slots.NONE)
                        && feeds(s.srq(), s.pd(), domains)
                        && serves(s.sendCq(), s.pd(), domains)
                        && serves(s.receiveCq(), s.pd(), domains);
            case Step.PostSend s ->
                !s.requests().isEmpty() && s.requests().stream().allMatch(one -> shows(one, s.qp(), domains));
            case Step.Bind s -> shows(s.request(), s.qp(), domains);
            case Step.OpenAh s -> at(SlotKind.AH, s.ah()) == null;
            case Step.OpenWindow s -> at(SlotKind.WINDOW, s.window()) == null;
            case Step.PostReceive s -> !s.receives().isEmpty();
            case Step.OpenSrq s -> at(SlotKind.SRQ, s.srq()) == null;
            case Step.PostShared s -> !s.receives().isEmpty() && !isContended(s.srq());
            case Step.Resize s -> isClear(s);
            case Step.Close s -> true;
            case Step.ArmLimit s -> true;
            case Step.QuerySrq s -> true;
            case Step.Modify s -> !holdsUp(s);
            case Step.Query s -> true;
            case Step.Fill s -> true;
        };
    }

    /** Whether it drains a queue whose head waits: if that one was begun, nobody can tell. */
    private boolean holdsUp(Step.Modify step) {
        Long state = step.values().get(QpAttribute.STATE);
        ModelQp qp = qp(step.qp());
        return state != null
                && state == QpState.SQD.code()
                && qp != null
                && qp.state == QpState.RTS
                && !qp.sends.isEmpty();
    }

    /** Whether several queue pairs wait for its receives: who is first is nobody's to say. */
    public boolean isContended(int srqSlot) {
        ModelSrq srq = srq(srqSlot);
        return srq != null
                && qps().stream()
                                .filter(qp -> qp.state == QpState.RTS && !qp.sends.isEmpty())
                                .filter(qp -> qp.peer != null && qp.peer.takesFrom(srq))
                                .count()
                        > 1;
    }

    /** A size may be made larger than was asked: whether that leaves the answer open. */
    private boolean isClear(Step.Resize step) {
        ModelSrq srq = there(srq(step.srq()));
        return Integer.bitCount(step.receives()) == 1 || step.receives() >= Math.max(srq.receives.size(), srq.limit);
    }

    /**
     * Whether it can be told that a request on windows was done: only its completion shows it. And
     * whether the objects that a bind names are there, of its domain.
     */
    private boolean shows(SendRequest request, int qpSlot, int domains) {
        ModelQp qp = there(qp(qpSlot));
        StepVerb verb = request.verb();
        if (!verb.isWindowWork()) {
            // A send that names no destination is none of UD; what it is, nobody says.
            return qp.type != QpType.UD || (verb != StepVerb.SEND && verb != StepVerb.SEND_IMM);
        }
        boolean told = qp.allSignalled || (request.flags() & SendFlags.SIGNALLED) != 0;
        if (request.verb() == StepVerb.LOCAL_INV) {
            return told;
        }
        int key = request.remote().key();
        ModelWindow window = window(request.window());
        ModelRegion region = key >= 0 && key < Slots.REGIONS ? regionOf(key) : null;
        int domain = Slots.domainOf(qp.context(), domains);
        return told
                && window != null
                && region != null
                && Slots.domainOf(window.context(), domains) == domain
                && Slots.domainOf(region.context(), domains) == domain;
    }

    /** None, or one of the same domain. */
    private boolean feeds(int srqSlot, int pdSlot, int domains) {
        ModelSrq srq = srq(srqSlot);
        return srqSlot == Slots.NONE
                || (srq != null
                        && Slots.domainOf(srq.context(), domains)
                                == Slots.domainOf(there(pd(pdSlot)).context(), domains));
    }

    /** Of the same domain, and large enough that it cannot overrun, which would be a race. */
    private boolean serves(int cqSlot, int pdSlot, int domains) {
        ModelCq cq = cq(cqSlot);
        return cq != null
                && cq.entries >= Slots.CQ_ENTRIES
                && Slots.domainOf(cq.context(), domains)
                        == Slots.domainOf(there(pd(pdSlot)).context(), domains);
    }

    /** How many objects of a kind a domain has. */
    int count(SlotKind kind, int domain, int domains) {
        int count = 0;
        for (int slot = 0; slot < Slots.count(kind); slot++) {
            int context = contextOf(kind, slot);
            count += context >= 0 && Slots.domainOf(context, domains) == domain ? 1 : 0;
        }
        return count;
    }

    /** The context of what is in a slot, or -1 if nothing is. */
    public int contextOf(SlotKind kind, int slot) {
        ModelObject object = at(kind, slot);
        return object == null ? -1 : object.context();
    }

    /** Whether a completion queue is one that queue pairs can be made with. */
    public boolean isLarge(int cqSlot) {
        ModelCq cq = cq(cqSlot);
        return cq != null && cq.entries >= Slots.CQ_ENTRIES;
    }

    /** Whether a queue pair's requests reach the one it is connected to. */
    public boolean isConnected(int slot) {
        ModelQp qp = qp(slot);
        if (qp != null && qp.type == QpType.UD) {
            return qp.state == QpState.RTS;
        }
        return qp != null
                && qp.state == QpState.RTS
                && qp.peer != null
                && qp.peer.listens()
                && qp.peer.peer == qp
                && qp.peer.type == qp.type;
    }

    /** Whether the queue pair in one slot names that in the other as its peer. */
    public boolean pointsTo(int from, int to) {
        ModelQp qp = qp(from);
        return qp != null && qp.peer != null && qp.peer == qp(to);
    }

    /** Whether the queue pair in one slot waits for that in the other as it is now. */
    public boolean calls(int from, int to) {
        ModelQp qp = qp(from);
        ModelQp called = qp(to);
        return qp != null && called != null && qp.peer == called && qp.listens() && qp.receivePsn == called.startPsn();
    }

    /** The slot of the queue pair that {@code slot} is connected to, or -1. */
    public int peerOf(int slot) {
        for (int i = 0; i < Slots.QPS; i++) {
            if (pointsTo(slot, i)) {
                return i;
            }
        }
        return -1;
    }
}
