package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.access.AccessOracle;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import java.util.List;
import java.util.Set;

/**
 * Binding and invalidating against every combination of rights, protection domains and ranges. One
 * case of binding is one type of window against one set of rights of the region.
 */
@CaseGroup("access")
public final class AccessBindCases {
    private static final int MASKS = 1 << 5;
    private static final int REMOTE_MASKS = 1 << 3;

    private AccessBindCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (MemoryWindow.Type type : Windows.types()) {
            for (int mask = 0; mask < MASKS; mask++) {
                Set<Access> rights = Access.of(mask);
                if (AccessOracle.mayRegister(mask)) {
                    cases.add(
                            "matrix-bind-" + Windows.label(type) + AccessTarget.label(rights),
                            "all rights of the window, PDs of window and region, and ranges:"
                                    + " MW_BIND, LOCAL_WRITE for writers, one PD, and inside the"
                                    + " region, or else MW_BIND_ERR (IBA 10.6.7.2)",
                            rig -> binds(rig, type, rights));
                }
            }
        }
        cases.add(
                "matrix-local-inv",
                "LOCAL_INV needs no right, of the QP or the window (IBA 11.4.1.1)",
                rig -> invalidates(rig, false));
        cases.add(
                "matrix-send-inv",
                "a send with invalidate needs no right, of the QP or the window (IBA 9.4.1.1)",
                rig -> invalidates(rig, true));
    }

    private static void binds(Rig rig, MemoryWindow.Type type, Set<Access> rights) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        ProtectionDomain other = rig.closing(side.context().allocatePd());
        MemoryRegion here = region(rig, side, side.pd(), rights);
        MemoryRegion elsewhere = region(rig, side, other, rights);
        MemoryWindow window = rig.closing(side.pd().allocateWindow(type));
        MemoryWindow foreign = rig.closing(other.allocateWindow(type));
        for (int mask = 0; mask < REMOTE_MASKS; mask++) {
            Set<Access> asked = Access.of(mask << 1);
            for (AccessRange range : AccessRange.values()) {
                attempt(rig, pair, window, here, rights, asked, range);
            }
            attempt(rig, pair, window, elsewhere, rights, asked, AccessRange.FIRST);
            attempt(rig, pair, foreign, here, rights, asked, AccessRange.FIRST);
            attempt(rig, pair, foreign, elsewhere, rights, asked, AccessRange.FIRST);
        }
        // Nothing stayed bound.
        here.close();
        elsewhere.close();
    }

    private static MemoryRegion region(Rig rig, Side side, ProtectionDomain pd, Set<Access> rights)
            throws VerbsException {
        return rig.closing(pd.register(side.buffer().asSlice(Windows.OFFSET, Windows.BYTES), rights));
    }

    private static void attempt(
            Rig rig,
            Rig.Pair pair,
            MemoryWindow window,
            MemoryRegion region,
            Set<Access> rights,
            Set<Access> asked,
            AccessRange range)
            throws VerbsException {
        Side side = pair.responder();
        int length = 64;
        AccessOracle.Key key = new AccessOracle.Key(
                window.pd().equals(side.pd()) && region.pd().equals(side.pd()),
                Access.mask(rights),
                side.at(Windows.OFFSET),
                Windows.BYTES);
        long address = range.address(key.base(), Windows.BYTES, length);
        boolean may = key.opens(AccessOracle.neededToBind(Access.mask(asked)), address, length);
        WindowBinding binding = new WindowBinding(region, address, length, asked);
        if (window.type() == MemoryWindow.Type.ONE && !window.pd().equals(region.pd())) {
            Expect.equal(
                    VerbsStatus.EPERM, side.qp().bind(1, SendFlags.SIGNALLED, window, binding), "bind_mw across PDs");
            return;
        }
        Windows.bind(side, window, binding, may ? VerbsStatus.SUCCESS : VerbsStatus.MW_BIND_ERR);
        if (may) {
            Expect.refused(VerbsStatus.EBUSY, "closing a bound region", region::close);
            end(side, window, region);
        } else {
            side.expectState(QpState.ERR);
            pair.requester().expectState(QpState.RTS);
            Windows.revive(rig, pair);
        }
    }

    private static void end(Side side, MemoryWindow window, MemoryRegion region) {
        if (window.type() == MemoryWindow.Type.ONE) {
            WindowBinding nothing = new WindowBinding(region, side.at(Windows.OFFSET), 0, Set.of());
            Windows.bind(side, window, nothing, VerbsStatus.SUCCESS);
        } else {
            Windows.invalidate(side, window.rkey(), VerbsStatus.SUCCESS);
        }
    }

    private static void invalidates(Rig rig, boolean remotely) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.TWO);
        for (int qpRights = 0; qpRights < REMOTE_MASKS; qpRights++) {
            side.qp().modify(QpAttributes.to(QpState.RTS).with(QpAttribute.ACCESS_FLAGS, qpRights << 1));
            for (int mask = 0; mask < REMOTE_MASKS; mask++) {
                Windows.bind(side, window, Windows.binding(side, Access.of(mask << 1)), VerbsStatus.SUCCESS);
                if (remotely) {
                    side.receive(5, side.sge(0, 16));
                    pair.requester()
                            .post(new SendWorkRequest.SendWithInvalidate(
                                    1,
                                    SendFlags.SIGNALLED,
                                    List.of(pair.requester().sge(0, 16)),
                                    window.rkey()));
                    pair.requester().sent(1, VerbsStatus.SUCCESS);
                    Expect.equal(
                            window.rkey(),
                            side.received(5, VerbsStatus.SUCCESS).invalidatedKey(),
                            "key that was ended");
                } else {
                    Windows.invalidate(side, window.rkey(), VerbsStatus.SUCCESS);
                }
            }
        }
        side.region().close();
    }
}
