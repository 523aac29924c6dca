package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.HashSet;
import java.util.Set;

/** Protection domains as objects; what they protect is in {@link KeyCases}. */
@CaseGroup("pd")
public final class PdCases {
    private PdCases() {}

    @Case("ibv_alloc_pd gives a new protection domain each time")
    static void manyDiffer(Rig rig) throws VerbsException {
        Context context = rig.context();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            ProtectionDomain pd = rig.closing(context.allocatePd());
            Expect.isTrue(names.add(pd.describe()), "two live PDs are both " + pd.describe());
        }
    }

    @Case("a PD belongs to the context that allocated it")
    static void knowsItsContext(Rig rig) throws VerbsException {
        Context first = rig.context();
        Context second = rig.context();

        Expect.isTrue(
                rig.closing(first.allocatePd()).context().equals(first)
                        && rig.closing(second.allocatePd()).context().equals(second),
                "a PD names another context than its own");
    }

    @Case("a PD with a region: EBUSY naming it (ibv_dealloc_pd)")
    static void closeNamesRegion(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        MemoryRegion region = rig.closing(pd.register(rig.buffer(64), Set.of(Access.LOCAL_WRITE)));

        expectBusy(pd, region);
    }

    @Case("a PD with a QP: EBUSY naming it (ibv_dealloc_pd)")
    static void closeNamesQueuePair(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain pd = rig.closing(context.allocatePd());
        CompletionQueue cq = rig.closing(context.createCq(4, null));
        VerbsObject qp = rig.closing(pd.createRc(QpLimits.of(1, 1), cq, cq));

        expectBusy(pd, qp);
    }

    private static void expectBusy(ProtectionDomain pd, VerbsObject child) throws VerbsException {
        Expect.inUse(pd, child);
        child.close();
        pd.close();
    }

    @Case("after EBUSY the PD and its children work on")
    static void refusedCloseChangesNothing(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();

        Expect.refused(VerbsStatus.EBUSY, "closing the requester's PD", requester.pd()::close);
        Expect.refused(
                VerbsStatus.EBUSY,
                "closing the responder's PD",
                pair.responder().pd()::close);

        Transfers.writes(pair, 64);
        requester.noMoreSends();
    }

    @Case("a destroyed PD as a parameter: EINVAL (ibv_reg_mr, ibv_create_qp)")
    static void closedAsParameter(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain pd = context.allocatePd();
        CompletionQueue cq = rig.closing(context.createCq(4, null));
        SideOptions standard = SideOptions.standard();
        pd.close();

        Expect.refused(
                VerbsStatus.EINVAL,
                "registering in a closed PD",
                () -> pd.register(rig.buffer(64), standard.regionAccess()));
        Expect.refused(
                VerbsStatus.EINVAL, "creating a QP in a closed PD", () -> pd.createRc(standard.limits(), cq, cq));
    }
}
