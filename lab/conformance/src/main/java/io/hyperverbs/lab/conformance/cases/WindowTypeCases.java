package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DeviceCapability;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import java.util.EnumSet;
import java.util.Set;

/** What is different of windows of type 1 and of type 2, and what the device says of them. */
@CaseGroup("mw")
public final class WindowTypeCases {
    private WindowTypeCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        cases.add(
                "type-1-bind-full-queue",
                "a bind into a full send queue: ENOMEM, and the key stays (ibv_bind_mw)",
                rig -> bindFullQueue(rig, MemoryWindow.Type.ONE));
        cases.add(
                "type-2-bind-full-queue",
                "a bind into a full send queue: ENOMEM, and the key stays (ibv_post_send)",
                rig -> bindFullQueue(rig, MemoryWindow.Type.TWO));
    }

    @Case("a rebind gives a new key and ends the old one (ibv_bind_mw)")
    static void type1RebindEndsOldKey(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.ONE);
        int old = window.rkey();

        Windows.bind(side, window, Windows.binding(side), VerbsStatus.SUCCESS);

        Windows.writes(pair, window.rkey(), side.at(Windows.OFFSET), Windows.OFFSET);
        Windows.refuses(pair, old, side.at(Windows.OFFSET));
    }

    @Case("a rebind may name other bytes (ibv_bind_mw)")
    static void type1RebindMoves(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.ONE);

        Windows.bind(
                side, window, new WindowBinding(side.region(), side.at(64), 64, Windows.REMOTE), VerbsStatus.SUCCESS);

        Windows.writes(pair, window.rkey(), side.at(64), 64);
        Windows.refuses(pair, window.rkey(), side.at(Windows.OFFSET));
    }

    @Case("binding to no bytes unbinds (ibv_bind_mw): the region is free again")
    static void type1ZeroLengthUnbinds(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryRegion region = side.pd().register(side.buffer(), Windows.BINDABLE);
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.ONE);
        Windows.bind(side, window, new WindowBinding(region, side.at(0), 64, Windows.REMOTE), VerbsStatus.SUCCESS);
        int bound = window.rkey();

        Windows.bind(side, window, new WindowBinding(region, 0, 0, Set.of()), VerbsStatus.SUCCESS);

        region.close();
        Windows.refuses(pair, bound, side.at(0));
    }

    @Case("unbinding a free window of type 1 succeeds")
    static void type1UnbindWhenFree(Rig rig) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.ONE);
        WindowBinding nothing = new WindowBinding(side.region(), 0, 0, Set.of());

        Windows.bind(side, window, nothing, VerbsStatus.SUCCESS);
        Windows.bind(side, window, nothing, VerbsStatus.SUCCESS);
    }

    /** A second connection to a queue pair in the PD of {@code side}. */
    private static Rig.Pair second(Rig rig, Side side) throws VerbsException {
        Side peer = rig.side(SideOptions.standard());
        Side more = rig.sideIn(side.pd(), SideOptions.standard());
        return rig.connect(peer, more);
    }

    private static void bindFullQueue(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryWindow window = Windows.allocate(rig, side, type);
        int key = window.rkey();
        int posted = 0;
        SendWorkRequest write = Operation.WRITE.request(1);
        while (side.qp().postSend(write) == VerbsStatus.SUCCESS) {
            posted++;
        }

        VerbsStatus status = type == MemoryWindow.Type.ONE
                ? side.qp().bind(2, SendFlags.SIGNALLED, window, Windows.binding(side))
                : side.qp().postSend(Windows.request(window, MemoryWindow.nextKey(key), Windows.binding(side)));

        Expect.equal(VerbsStatus.ENOMEM, status, "bind into a full queue");
        Expect.equal(key, window.rkey(), "key of a window that was not bound");
        for (int i = 0; i < posted; i++) {
            side.sent(1, VerbsStatus.SUCCESS);
        }
        Windows.bind(side, window, Windows.binding(side), VerbsStatus.SUCCESS);
    }

    @Case("a window of type 1 is open through each QP of its PD (IBA 10.6.7.2)")
    static void type1AnyQueuePair(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.ONE);
        Side peer = second(rig, side).requester();
        Pattern.fill(peer.buffer(), 0, 16, 9);

        Transfers.post(Operation.WRITE, peer, 1, side.at(Windows.OFFSET), window.rkey(), peer.sge(0, 16));

        peer.sent(1, VerbsStatus.SUCCESS);
        Pattern.expect(side.buffer(), Windows.OFFSET, 16, 9, "window");
        Windows.writes(pair, window.rkey(), side.at(Windows.OFFSET), Windows.OFFSET);
    }

    @Case("a window of type 2 is closed to QPs that it was not bound through: REM_ACCESS_ERR (IBA 10.6.7.2)")
    static void type2OtherQueuePair(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.TWO);
        Rig.Pair other = second(rig, side);
        Pattern.blank(side.buffer());

        Windows.refuses(other, window.rkey(), side.at(Windows.OFFSET));

        Pattern.expectBlank(side.buffer(), 0, 8192, "window");
        Windows.writes(pair, window.rkey(), side.at(Windows.OFFSET), Windows.OFFSET);
    }

    @Case("a QP with bound windows may be destroyed (IBA o10-2.2.5); its windows are free then: choice")
    static void type2DestroyQueuePair(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        Side more = second(rig, side).responder();
        MemoryRegion region = side.pd().register(side.buffer(), Windows.BINDABLE);
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.TWO);
        WindowBinding binding = new WindowBinding(region, side.at(0), 64, Windows.REMOTE);
        Windows.bind(more, window, binding, VerbsStatus.SUCCESS);

        more.qp().close();

        Windows.bind(side, window, binding, VerbsStatus.SUCCESS);
        Windows.writes(pair, window.rkey(), side.at(0), 0);
        window.close();
        region.close();
    }

    private static MemoryWindow zeroBasedWindow(Rig rig, Side side) throws VerbsException {
        EnumSet<Access> access = EnumSet.copyOf(Windows.REMOTE);
        access.add(Access.ZERO_BASED);
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.TWO);
        Windows.bind(side, window, Windows.binding(side, access), VerbsStatus.SUCCESS);
        return window;
    }

    @Case("a zero-based window counts its bytes from 0 (IBV_ACCESS_ZERO_BASED)")
    static void type2ZeroBased(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        MemoryWindow window = zeroBasedWindow(rig, pair.responder());

        Windows.writes(pair, window.rkey(), 0, Windows.OFFSET);
        Windows.writes(pair, window.rkey(), Windows.BYTES - 16, Windows.OFFSET + Windows.BYTES - 16L);
    }

    @Case("a zero-based window ends where it ends, and not before 0")
    static void type2ZeroBasedRange(Rig rig) throws VerbsException {
        for (long address : new long[] {Windows.BYTES - 15, Windows.BYTES, -1, -16, -2048}) {
            Rig.Pair pair = Windows.pair(rig);

            Windows.refuses(pair, zeroBasedWindow(rig, pair.responder()).rkey(), address);
        }
        Rig.Pair pair = Windows.pair(rig);
        Windows.refuses(
                pair,
                zeroBasedWindow(rig, pair.responder()).rkey(),
                pair.responder().at(Windows.OFFSET));
    }

    @Case("a bind is done before the send behind it arrives (IBA 10.6.7.2)")
    static void bindThenSendInOrder(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side owner = pair.responder();
        Side peer = pair.requester();
        MemoryWindow window = Windows.allocate(rig, owner, MemoryWindow.Type.TWO);
        peer.receive(5, peer.sge(0, 16));

        VerbsStatus status = owner.qp()
                .sends()
                .start()
                .bindWindow(1, SendFlags.NONE, window, 200, Windows.binding(owner))
                .send(2, SendFlags.SIGNALLED)
                .sge(owner.region().lkey(), owner.at(0), 16)
                .post();
        Expect.equal(VerbsStatus.SUCCESS, status, "post_send");

        owner.sent(2, VerbsStatus.SUCCESS);
        peer.received(5, VerbsStatus.SUCCESS);
        Expect.equal(200, window.rkey() & 0xff, "tag");
        Windows.writes(pair, window.rkey(), owner.at(Windows.OFFSET), Windows.OFFSET);
    }

    @Case("a quota used up: EAGAIN naming it, its use and its maximum; what is given back can be had again: choice")
    static void quotaOfMw(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain pd = rig.closing(context.allocatePd());

        int made = QuotaCases.usesUp(rig, "mw", () -> pd.allocateWindow(MemoryWindow.Type.TWO));

        Expect.equal(context.queryDevice().objects().maxMw(), made, "windows until the quota was used up");
    }

    @Case("the device says that windows are of type 1 and 2B (IBV_DEVICE_MEM_WINDOW_TYPE_2B)")
    static void deviceCapabilities(Rig rig) throws VerbsException {
        Set<DeviceCapability> flags = rig.context().queryDevice().capabilities().flags();

        Expect.isTrue(flags.contains(DeviceCapability.MEM_WINDOW), "no MEM_WINDOW");
        Expect.isTrue(flags.contains(DeviceCapability.MEM_WINDOW_TYPE_2B), "no type 2B");
        Expect.isTrue(!flags.contains(DeviceCapability.MEM_WINDOW_TYPE_2A), "type 2A, and 2B");
    }
}
