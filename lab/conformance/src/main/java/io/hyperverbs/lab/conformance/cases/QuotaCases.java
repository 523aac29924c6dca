package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a domain may have only so much of. */
@CaseGroup("device")
public final class QuotaCases {
    /** More than any quota of objects that a case could use up in good time. */
    private static final int ENDLESS = 1024;

    private static final String RULE =
            "a quota used up: EAGAIN naming it, its use and its maximum; what is given back can be had again: choice";

    private QuotaCases() {}

    /** Makes one object more. */
    interface Maker {
        VerbsObject make() throws VerbsException;
    }

    @Case(RULE)
    static void quotaOfContexts(Rig rig) throws VerbsException {
        usesUp(rig, "uar", rig.device()::open);
    }

    @Case(RULE)
    static void quotaOfPd(Rig rig) throws VerbsException {
        Context context = rig.context();

        int made = usesUp(rig, "pd", context::allocatePd);

        Expect.equal(context.queryDevice().maxPd(), made, "PDs until the quota was used up");
    }

    @Case(RULE)
    static void quotaOfCq(Rig rig) throws VerbsException {
        Context context = rig.context();

        int made = usesUp(rig, "cq", () -> context.createCq(1, null));

        Expect.equal(context.queryDevice().maxCq(), made, "CQs until the quota was used up");
    }

    @Case(RULE)
    static void quotaOfQp(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain pd = rig.closing(context.allocatePd());
        CompletionQueue cq = rig.closing(context.createCq(1, null));

        int made = usesUp(rig, "qp", () -> pd.createRc(QpLimits.of(1, 1), cq, cq));

        Expect.equal(context.queryDevice().maxQp(), made, "QPs until the quota was used up");
    }

    @Case(RULE)
    static void quotaOfSrq(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain pd = rig.closing(context.allocatePd());

        int made = usesUp(rig, "srq", () -> pd.createSrq(new SrqLimits(1, 1)));

        Expect.equal(context.queryDevice().objects().maxSrq(), made, "SRQs until the quota was used up");
    }

    @Case(RULE)
    static void quotaOfRegisteredBytes(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        MemorySegment buffer = rig.buffer(rig.domain().memory().capacityBytes() / 4);

        usesUp(rig, "registered", () -> pd.register(buffer, Set.of(Access.LOCAL_WRITE)));
    }

    /** Returns how many there could be. */
    static int usesUp(Rig rig, String quota, Maker maker) throws VerbsException {
        List<VerbsObject> made = new ArrayList<>();
        VerbsException refusal = null;
        while (refusal == null && made.size() < ENDLESS) {
            try {
                made.add(rig.closing(maker.make()));
            } catch (VerbsException e) {
                refusal = e;
            }
        }
        if (refusal == null) {
            throw new AssertionError(ENDLESS + " objects, and no quota " + quota);
        }
        Expect.equal(VerbsStatus.EAGAIN, refusal.status(), "refusal (" + refusal + ")");
        Expect.isTrue(
                Expect.text(refusal).matches("(?s).*\\b" + quota + "\\b.*\\d+.*\\d+.*"),
                "\"" + refusal.getMessage() + "\" does not name quota " + quota + " with its numbers");

        made.getLast().close();
        rig.closing(maker.make());
        Expect.refused(VerbsStatus.EAGAIN, "one more after that", maker::make);
        return made.size();
    }
}
