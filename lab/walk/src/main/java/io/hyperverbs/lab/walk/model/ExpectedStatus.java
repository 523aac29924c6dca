package io.hyperverbs.lab.walk.model;

import static io.hyperverbs.lab.walk.model.Model.there;

import io.hyperverbs.lab.conformance.access.AccessOracle;
import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.SlotKind;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;

/** What calls must answer. */
final class ExpectedStatus {
    private final HcaFacts hca;
    private final int domains;
    private final ModelObjects objects;

    ExpectedStatus(HcaFacts hca, int domains, ModelObjects objects) {
        this.hca = hca;
        this.domains = domains;
        this.objects = objects;
    }

    /** What the call of a resolved step that fits must answer. */
    VerbsStatus of(Step step) {
        return switch (step) {
            case Step.OpenPd s -> quota(SlotKind.PD, s.context(), DomainQuota.PDS);
            case Step.OpenCq s ->
                s.entries() >= 1 && s.entries() <= hca.maxCqe()
                        ? quota(SlotKind.CQ, s.context(), DomainQuota.CQS)
                        : VerbsStatus.EINVAL;
            case Step.OpenRegion s ->
                AccessOracle.mayRegister(s.access())
                        ? quota(SlotKind.REGION, there(objects.pd(s.pd())).context(), DomainQuota.REGIONS)
                        : VerbsStatus.EINVAL;
            case Step.OpenAh s -> openAh(s);
            case Step.OpenWindow s ->
                quota(SlotKind.WINDOW, there(objects.pd(s.pd())).context(), DomainQuota.WINDOWS);
            case Step.Bind s -> bind(there(objects.qp(s.qp())), s.request());
            case Step.OpenSrq s -> openSrq(s);
            case Step.PostShared s -> PostRules.receive(there(objects.srq(s.srq())), s.receives());
            case Step.ArmLimit s -> {
                int room = there(objects.srq(s.srq())).room;
                yield known(s.limit() >= 0 && s.limit() <= room);
            }
            case Step.Resize s -> {
                ModelSrq srq = there(objects.srq(s.srq()));
                yield known(s.receives() >= 1
                        && s.receives() <= hca.maxSrqWr()
                        && s.receives() >= srq.receives.size()
                        && s.receives() >= srq.limit);
            }
            case Step.QuerySrq s -> VerbsStatus.SUCCESS;
            case Step.OpenQp s -> openQp(s);
            case Step.Close s ->
                there(objects.at(s.kind(), s.slot())).isUsed() ? VerbsStatus.EBUSY : VerbsStatus.SUCCESS;
            case Step.Modify s ->
                MoveRules.isLegal(there(objects.qp(s.qp())), s.values(), hca)
                        ? VerbsStatus.SUCCESS
                        : VerbsStatus.EINVAL;
            case Step.PostSend s -> PostRules.send(there(objects.qp(s.qp())), s.requests(), objects);
            case Step.PostReceive s -> PostRules.receive(there(objects.qp(s.qp())), s.receives());
            case Step.Query s -> VerbsStatus.SUCCESS;
            case Step.Fill s -> VerbsStatus.SUCCESS;
        };
    }

    private VerbsStatus openQp(Step.OpenQp s) {
        int context = there(objects.pd(s.pd())).context();
        boolean legal = there(objects.cq(s.sendCq())).context() == context
                && there(objects.cq(s.receiveCq())).context() == context
                && s.sends() >= 1
                && s.sends() <= hca.maxQpWr()
                && areReceives(s, context)
                && s.pieces() >= 1
                && s.pieces() <= hca.maxSge()
                && s.inlineBytes() >= 0
                && s.inlineBytes() <= hca.maxInlineBytes();
        return legal ? quota(SlotKind.QP, context, DomainQuota.QPS) : VerbsStatus.EINVAL;
    }

    /** A queue pair on a shared queue has no receives of its own, whatever is asked. */
    private boolean areReceives(Step.OpenQp s, int context) {
        return s.srq() == Slots.NONE
                ? s.receives() >= 0 && s.receives() <= hca.maxQpWr()
                : there(objects.srq(s.srq())).context() == context;
    }

    private VerbsStatus openSrq(Step.OpenSrq s) {
        boolean legal =
                s.receives() >= 1 && s.receives() <= hca.maxSrqWr() && s.pieces() >= 1 && s.pieces() <= hca.maxSrqSge();
        return legal ? quota(SlotKind.SRQ, there(objects.pd(s.pd())).context(), DomainQuota.SRQS) : VerbsStatus.EINVAL;
    }

    /** The verb is for windows of type 1, and knows the PDs of what it is given. */
    private VerbsStatus bind(ModelQp qp, SendRequest request) {
        ModelWindow window = there(objects.window(request.window()));
        ModelRegion region = there(objects.regionOf(request.remote().key()));
        if (window.isTypeTwo() || qp.type == QpType.UD) {
            return VerbsStatus.EINVAL;
        }
        if (region.pd != window.pd) {
            return VerbsStatus.EPERM;
        }
        return (request.bindAccess() & Access.ZERO_BASED.bit()) != 0 ? VerbsStatus.EINVAL : PostRules.send(qp, 1);
    }

    /** Without a GID it leads to a port. */
    private VerbsStatus openAh(Step.OpenAh s) {
        boolean legal = s.lid() >= 1
                && s.lid() <= MoveRules.LARGEST_UNICAST_LID
                && s.serviceLevel() >= 0
                && s.serviceLevel() <= 15;
        return legal ? quota(SlotKind.AH, there(objects.pd(s.pd())).context(), DomainQuota.AHS) : VerbsStatus.EINVAL;
    }

    private static VerbsStatus known(boolean legal) {
        return legal ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL;
    }

    private VerbsStatus quota(SlotKind kind, int context, int max) {
        int domain = Slots.domainOf(context, domains);
        return objects.count(kind, domain, domains) < max ? VerbsStatus.SUCCESS : VerbsStatus.EAGAIN;
    }
}
