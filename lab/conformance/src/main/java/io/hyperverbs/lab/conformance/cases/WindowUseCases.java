package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a bound window opens, what rebinding closes, and how windows end. */
@CaseGroup("mw")
public final class WindowUseCases {
    private WindowUseCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (MemoryWindow.Type type : Windows.types()) {
            String name = Windows.label(type);
            for (Operation operation : Operation.remote()) {
                cases.add(
                        name + "-" + operation.label(),
                        "an operation with the window's key, inside it, is done",
                        rig -> uses(rig, type, operation));
            }
            cases.add(
                    name + "-unbound",
                    "the key of a window that was never bound: REM_ACCESS_ERR",
                    rig -> unbound(rig, type));
            cases.add(
                    name + "-as-lkey",
                    "a window's key is no local key: LOC_PROT_ERR at the poster",
                    rig -> asLkey(rig, type));
            cases.add(
                    name + "-keeps-key-index",
                    "binding changes the low 8 bits of the key alone (ibv_inc_rkey)",
                    rig -> keepsKeyIndex(rig, type));
            cases.add(
                    name + "-region-busy",
                    "a region with a bound window: EBUSY, and both work on (IBA 10.6.7.2.6)",
                    rig -> regionBusy(rig, type));
            cases.add(
                    name + "-close-unbinds",
                    "destroying a bound window ends its key and frees its region",
                    rig -> closeUnbinds(rig, type));
            cases.add(
                    name + "-pd-busy",
                    "a PD with a window: EBUSY naming it (ibv_dealloc_pd)",
                    rig -> pdBusy(rig, type));
            cases.add(
                    name + "-many-on-one-region",
                    "a region has as many windows as wanted, each its own key and range",
                    rig -> manyOnOneRegion(rig, type));
            cases.add(
                    name + "-two-windows-same-tag",
                    "the same tag on two windows gives two keys",
                    rig -> sameTag(rig, type));
            cases.add(
                    name + "-wider-than-region-rights",
                    "a window may give remote rights that its region does not (IBA 10.6.7.2.1)",
                    rig -> widerThanRegion(rig, type));
            cases.add(
                    name + "-outside-window-inside-region",
                    "the bytes of the region beside the window: REM_ACCESS_ERR",
                    rig -> outside(rig, type));
            cases.add(
                    name + "-region-key-still-works",
                    "binding a window leaves the region's own key as it is",
                    rig -> regionKeyStillWorks(rig, type));
            cases.add(
                    name + "-owner-in-err",
                    "binding survives ERR of its QP; RESET ends those of type 2: choice",
                    rig -> ownerInErr(rig, type));
        }
    }

    private static void uses(Rig rig, MemoryWindow.Type type, Operation operation) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side requester = pair.requester();
        Side responder = pair.responder();
        MemoryWindow window = Windows.bound(rig, responder, type);
        int length = operation.isAtomic() ? 8 : 16;
        Pattern.fill(requester.buffer(), 0, 16, 7);
        Pattern.fill(responder.buffer(), Windows.OFFSET, 16, 3);
        responder.receive(5);

        Transfers.post(operation, requester, 1, responder.at(Windows.OFFSET), window.rkey(), requester.sge(0, length));

        Expect.equal(operation.opcode(), requester.sent(1, VerbsStatus.SUCCESS).opcode(), "opcode");
        if (operation.consumesReceive()) {
            responder.received(5, VerbsStatus.SUCCESS);
        }
        if (operation == Operation.WRITE || operation == Operation.WRITE_WITH_IMM) {
            Pattern.expect(responder.buffer(), Windows.OFFSET, 16, 7, "window");
        } else {
            Pattern.expect(requester.buffer(), 0, length, 3, "what came back");
        }
    }

    private static void unbound(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        MemoryWindow window = Windows.allocate(rig, pair.responder(), type);

        Windows.refuses(pair, window.rkey(), pair.responder().at(Windows.OFFSET));
    }

    private static void asLkey(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.requester();
        MemoryWindow window = Windows.bound(rig, side, type);

        side.post(Operation.WRITE.request(1, pair.responder(), 0, new Sge(side.at(Windows.OFFSET), 16, window.rkey())));

        side.sent(1, VerbsStatus.LOC_PROT_ERR);
        pair.responder().expectState(QpState.RTS);
    }

    private static void keepsKeyIndex(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryWindow window = Windows.allocate(rig, side, type);
        int first = window.rkey();

        Windows.bind(side, window, Windows.binding(side), VerbsStatus.SUCCESS);

        Expect.equal(MemoryWindow.nextKey(first), window.rkey(), "key");
        Expect.equal(first >>> 8, window.rkey() >>> 8, "key index");
    }

    private static MemoryWindow boundTo(MemoryRegion region, Side side, MemoryWindow.Type type) throws VerbsException {
        MemoryWindow window = side.pd().allocateWindow(type);
        WindowBinding binding = new WindowBinding(region, side.at(Windows.OFFSET), 64, Windows.REMOTE);
        Windows.bind(side, window, binding, VerbsStatus.SUCCESS);
        return window;
    }

    private static void regionBusy(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryRegion region = side.pd().register(side.buffer(), Windows.BINDABLE);
        MemoryWindow window = boundTo(region, side, type);

        Expect.refused(VerbsStatus.EBUSY, "deregistering", region::close);

        Windows.writes(pair, window.rkey(), side.at(Windows.OFFSET), Windows.OFFSET);
        Windows.writes(pair, region.rkey(), side.at(0), 0);
        window.close();
        region.close();
    }

    private static void closeUnbinds(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryRegion region = side.pd().register(side.buffer(), Windows.BINDABLE);
        MemoryWindow window = boundTo(region, side, type);

        window.close();

        region.close();
        Windows.refuses(pair, window.rkey(), side.at(Windows.OFFSET));
    }

    private static void pdBusy(Rig rig, MemoryWindow.Type type) throws VerbsException {
        ProtectionDomain pd = rig.context().allocatePd();
        MemoryWindow window = pd.allocateWindow(type);

        Expect.inUse(pd, window);

        window.close();
        pd.close();
    }

    private static void manyOnOneRegion(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        List<MemoryWindow> windows = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            MemoryWindow window = Windows.allocate(rig, side, type);
            Windows.bind(
                    side,
                    window,
                    new WindowBinding(side.region(), side.at(i * 64L), 64, Windows.REMOTE),
                    VerbsStatus.SUCCESS);
            windows.add(window);
        }

        for (int i = 0; i < 16; i++) {
            Windows.writes(pair, windows.get(i).rkey(), side.at(i * 64L), i * 64L);
        }
        Windows.refuses(pair, windows.get(3).rkey(), side.at(4 * 64L));
    }

    private static void sameTag(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryWindow first = Windows.bound(rig, side, type);
        MemoryWindow second = Windows.bound(rig, side, type);

        Expect.isTrue(first.rkey() >>> 8 != second.rkey() >>> 8, "two windows share a key index");
    }

    private static void widerThanRegion(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryRegion region =
                rig.closing(side.pd().register(side.buffer(), EnumSet.of(Access.LOCAL_WRITE, Access.MW_BIND)));
        Expect.equal(0, region.rkey(), "rkey of a region without remote rights");
        MemoryWindow window = Windows.allocate(rig, side, type);
        Windows.bind(
                side,
                window,
                new WindowBinding(region, side.at(64), 64, Set.of(Access.REMOTE_WRITE)),
                VerbsStatus.SUCCESS);

        Windows.writes(pair, window.rkey(), side.at(64), 64);
        Windows.refuses(pair, Operation.READ, window.rkey(), side.at(64));
    }

    private static void outside(Rig rig, MemoryWindow.Type type) throws VerbsException {
        for (long offset : new long[] {-1, Windows.BYTES - 15, Windows.BYTES, 4096, -2048}) {
            Rig.Pair pair = Windows.pair(rig);
            MemoryWindow window = Windows.bound(rig, pair.responder(), type);

            Windows.refuses(pair, window.rkey(), pair.responder().at(Windows.OFFSET + offset));
        }
    }

    private static void regionKeyStillWorks(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow _ = Windows.bound(rig, side, type);

        Windows.writes(pair, side.region().rkey(), side.at(0), 0);
        Windows.writes(pair, side.region().rkey(), side.at(Windows.OFFSET), Windows.OFFSET);
    }

    private static void ownerInErr(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryRegion region = side.pd().register(side.buffer(), Windows.BINDABLE);
        MemoryWindow window = Windows.allocate(rig, side, type);
        Windows.bind(
                side,
                window,
                new WindowBinding(region, side.at(Windows.OFFSET), 64, Windows.REMOTE),
                VerbsStatus.SUCCESS);

        side.to(QpState.ERR);
        Expect.refused(VerbsStatus.EBUSY, "deregistering", region::close);
        Windows.revive(rig, pair);

        if (type == MemoryWindow.Type.TWO) {
            region.close();
            Windows.refuses(pair, window.rkey(), side.at(Windows.OFFSET));
        } else {
            Windows.writes(pair, window.rkey(), side.at(Windows.OFFSET), Windows.OFFSET);
            window.close();
            region.close();
        }
    }
}
