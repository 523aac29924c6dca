package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.RegionChange;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A re-registration that is refused leaves the region as it was. */
@CaseGroup("mr")
public final class ReregisterRefusalCases {
    private static final Set<Access> ALL = SideOptions.standard().regionAccess();

    private ReregisterRefusalCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (MemoryWindow.Type type : Windows.types()) {
            cases.add(
                    "rereg-with-bound-window-" + Windows.label(type),
                    "a region with a bound window: EBUSY, and both are as before; a free window is"
                            + " no hindrance (IBA 11.2.8)",
                    rig -> withBoundWindow(rig, type));
        }
        cases.add(
                "rereg-translation-empty",
                "an empty buffer: EINVAL, the region is as before (ibv_rereg_mr)",
                rig -> translationRefused(rig, true, VerbsStatus.EINVAL));
        cases.add(
                "rereg-translation-foreign-memory",
                "memory that is not RAM of the domain: EFAULT, the region is as before",
                rig -> translationRefused(rig, false, VerbsStatus.EFAULT));
    }

    @Case("no change at all: EINVAL, the keys stay (ibv_rereg_mr)")
    static void reregNothing(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        MemoryRegion region = pair.responder().region();
        int rkey = region.rkey();

        Expect.refused(VerbsStatus.EINVAL, "no change", () -> region.reregister(RegionChange.NONE));

        Expect.equal(rkey, region.rkey(), "rkey");
        ReregisterCases.writes(pair, region, 0);
    }

    @Case("REMOTE_WRITE without LOCAL_WRITE: EINVAL, the region is as before")
    static void reregAccessIllegal(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        MemoryRegion region = ReregisterCases.extra(rig, pair.responder(), ALL);

        Expect.refused(
                VerbsStatus.EINVAL,
                "illegal rights",
                () -> region.reregister(RegionChange.NONE.withAccess(Set.of(Access.REMOTE_WRITE))));

        ReregisterCases.writes(pair, region, 1024);
    }

    private static void translationRefused(Rig rig, boolean empty, VerbsStatus expected) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        MemoryRegion region = ReregisterCases.extra(rig, side, ALL);
        MemorySegment wrong = empty ? side.buffer().asSlice(64, 0) : MemorySegment.ofArray(new byte[64]);
        MemorySegment before = region.buffer();

        Expect.refused(expected, "such memory", () -> region.reregister(RegionChange.NONE.withBuffer(wrong)));

        Expect.equal(before, region.buffer(), "buffer");
        ReregisterCases.writes(pair, region, 1024);
    }

    @Case("a PD of another context: EINVAL, the region is as before (ibv_rereg_mr)")
    static void reregPdOfAnotherContext(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        MemoryRegion region = ReregisterCases.extra(rig, pair.responder(), ALL);

        Expect.refused(
                VerbsStatus.EINVAL,
                "a PD of another context",
                () -> region.reregister(
                        RegionChange.NONE.withPd(pair.requester().pd())));

        ReregisterCases.writes(pair, region, 1024);
    }

    @Case("a region that is closed: EINVAL")
    static void reregClosed(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        MemoryRegion region = pd.register(rig.buffer(64), ALL);
        region.close();

        Expect.refused(
                VerbsStatus.EINVAL, "a closed region", () -> region.reregister(RegionChange.NONE.withAccess(Set.of())));
    }

    private static void withBoundWindow(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryRegion region = ReregisterCases.extra(rig, side, Windows.BINDABLE);
        MemoryWindow window = Windows.allocate(rig, side, type);
        Windows.bind(
                side, window, new WindowBinding(region, region.address(), 64, Windows.REMOTE), VerbsStatus.SUCCESS);
        int rkey = region.rkey();
        RegionChange change = RegionChange.NONE.withAccess(ALL);

        Expect.refused(VerbsStatus.EBUSY, "a bound region", () -> region.reregister(change));

        Expect.equal(rkey, region.rkey(), "rkey");
        ReregisterCases.writes(pair, region, 1024);
        Windows.writes(pair, window.rkey(), region.address(), 1024);
        window.close();
        region.reregister(change);
        ReregisterCases.writes(pair, region, 1024);
    }

    @Case("more bytes than the quota leaves: EAGAIN naming it, the region is as before: choice")
    static void reregQuota(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        MemoryRegion region = ReregisterCases.extra(rig, pair.responder(), ALL);
        MemorySegment large = rig.buffer(rig.domain().memory().capacityBytes() / 4);
        ProtectionDomain pd = pair.responder().pd();
        QuotaCases.usesUp(rig, "registered", () -> pd.register(large, Set.of(Access.LOCAL_WRITE)));

        VerbsException refusal = Expect.refused(
                VerbsStatus.EAGAIN,
                "more than the quota leaves",
                () -> region.reregister(RegionChange.NONE.withBuffer(large)));

        Expect.isTrue(Expect.text(refusal).contains("registered"), "refusal: " + refusal);
        ReregisterCases.writes(pair, region, 1024);
    }
}
