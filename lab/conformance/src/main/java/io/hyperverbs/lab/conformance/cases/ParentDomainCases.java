package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Completions;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** Parent domains: another handle on a PD's protection ({@code ibv_alloc_parent_domain}). */
@CaseGroup("pd")
public final class ParentDomainCases {
    private ParentDomainCases() {}

    @Case("a PD with a parent domain: EBUSY (ibv_dealloc_pd)")
    static void parentKeepsPdOpen(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain pd = rig.closing(context.allocatePd());
        ProtectionDomain parent = rig.closing(context.allocateParentDomain(pd));

        Expect.refused(VerbsStatus.EBUSY, "closing a PD with a parent domain", pd::close);

        parent.close();
        pd.close();
    }

    @Case("a parent domain over a PD of another context: EINVAL")
    static void parentOfAnotherContext(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain foreign = rig.closing(rig.context().allocatePd());

        Expect.refused(
                VerbsStatus.EINVAL,
                "a parent domain over a PD of another context",
                () -> context.allocateParentDomain(foreign));
    }

    @Case("a parent domain over a destroyed PD: EINVAL")
    static void parentOfClosedPd(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain pd = context.allocatePd();
        pd.close();

        Expect.refused(
                VerbsStatus.EINVAL, "a parent domain over a destroyed PD", () -> context.allocateParentDomain(pd));
    }

    @Case("a parent domain belongs to the context of its PD")
    static void parentKnowsItsContext(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain pd = rig.closing(context.allocatePd());
        ProtectionDomain parent = rig.closing(context.allocateParentDomain(pd));

        Expect.equal(context, parent.context(), "context of the parent domain");
        Expect.isTrue(!parent.equals(pd), "the parent domain is the PD itself");
    }

    @Case("a parent domain goes alone; its PD works on")
    static void parentClosesBeforePd(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.requester();
        ProtectionDomain parent = side.context().allocateParentDomain(side.pd());

        parent.close();

        Transfers.writes(pair, 64);
    }

    @Case("a key made in the parent domain is a key of its PD")
    static void parentRegionForPdQueuePair(Rig rig, Side side, Side responder) throws VerbsException {
        ProtectionDomain parent = rig.closing(side.context().allocateParentDomain(side.pd()));
        MemoryRegion region = rig.closing(
                parent.register(rig.buffer(64), SideOptions.standard().regionAccess()));

        side.post(Operation.WRITE.request(1, responder, 0, region.sge(0, 64)));
        side.sent(1, VerbsStatus.SUCCESS);
        responder.post(Operation.READ.request(2, region.address(), region.rkey(), List.of(responder.sge(0, 64))));
        responder.sent(2, VerbsStatus.SUCCESS);
    }

    @Case("a queue pair made in the parent domain uses keys of its PD")
    static void parentQueuePairUsesPdKeys(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard());
        ProtectionDomain parent = rig.closing(side.context().allocateParentDomain(side.pd()));
        CompletionQueue cq = rig.closing(side.context().createCq(8, null));
        RcQueuePair qp = rig.closing(parent.createRc(QpLimits.of(4, 4), cq, cq));
        Endpoint told = side.endpoint();
        qp.connect(
                new Endpoint(told.lid(), qp.qpn(), 0, 0, 0, 0),
                0,
                SideOptions.standard().qpAccess());
        Pattern.fill(side.buffer(), 0, 64, 3);

        Expect.equal(
                VerbsStatus.SUCCESS, qp.postSend(Operation.WRITE.request(1, side, 128, side.sge(0, 64))), "post_send");

        Expect.equal(VerbsStatus.SUCCESS, new Completions(cq, "CQ").next().status(), "status");
        Pattern.expect(side.buffer(), 128, 64, 3, "data written");
    }
}
