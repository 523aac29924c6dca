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
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.WorkCompletion.Opcode;
import java.util.List;

/** Ending a window of type 2 by a request of its own side or of its peer. */
@CaseGroup("mw")
public final class InvalidateCases {
    private static final String NOT_ALLOWED = "only a key bound through this QP can be invalidated: ";

    private InvalidateCases() {}

    /** A key that may not be invalidated on the responder. */
    private interface WrongKey {
        int of(Rig rig, Side side) throws VerbsException;
    }

    @CaseFamily
    static void families(CaseList cases) {
        addWrong(
                cases,
                "unbound-window",
                (rig, side) -> free(rig, side, MemoryWindow.Type.TWO).rkey());
        addWrong(
                cases,
                "type-1-window",
                (rig, side) -> Windows.bound(rig, side, MemoryWindow.Type.ONE).rkey());
        addWrong(
                cases,
                "other-tag",
                (rig, side) -> Windows.bound(rig, side, MemoryWindow.Type.TWO).rkey() ^ 1);
        addWrong(
                cases,
                "other-index",
                (rig, side) -> Windows.bound(rig, side, MemoryWindow.Type.TWO).rkey() ^ 1 << 8);
        addWrong(cases, "rkey-of-region", (rig, side) -> side.region().rkey());
        addWrong(cases, "lkey-of-region", (rig, side) -> side.region().lkey());
        addWrong(cases, "zero", (rig, side) -> 0);
        addWrong(cases, "all-ones", (rig, side) -> -1);
        addWrong(cases, "invalidated-before", InvalidateCases::invalidatedBefore);
        addWrong(cases, "destroyed-window", InvalidateCases::destroyed);
        addWrong(cases, "window-of-another-qp", InvalidateCases::ofAnotherQp);
        addWrong(cases, "window-of-another-pd", InvalidateCases::ofAnotherPd);
        cases.add(
                "send-inv-ends-key",
                "a send with invalidate delivers its data, ends the key, and says so (IBV_WC_WITH_INV)",
                rig -> sendEnds(rig, 16));
        cases.add(
                "send-inv-zero-length", "a send with invalidate of no bytes ends the key too", rig -> sendEnds(rig, 0));
    }

    private static void addWrong(CaseList cases, String what, WrongKey key) {
        cases.add(
                "local-inv-" + what,
                NOT_ALLOWED + "MW_BIND_ERR, the peer stays RTS (IBA 11.4.1.1)",
                rig -> local(rig, key));
        cases.add(
                "send-inv-" + what,
                NOT_ALLOWED + "REM_ACCESS_ERR, the receive LOC_ACCESS_ERR, both ERR, no byte: choice",
                rig -> remote(rig, key));
    }

    private static MemoryWindow free(Rig rig, Side side, MemoryWindow.Type type) throws VerbsException {
        return Windows.allocate(rig, side, type);
    }

    private static int invalidatedBefore(Rig rig, Side side) throws VerbsException {
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.TWO);
        Windows.invalidate(side, window.rkey(), VerbsStatus.SUCCESS);
        return window.rkey();
    }

    private static int destroyed(Rig rig, Side side) throws VerbsException {
        MemoryWindow window = side.pd().allocateWindow(MemoryWindow.Type.TWO);
        Windows.bind(side, window, Windows.binding(side), VerbsStatus.SUCCESS);
        window.close();
        return window.rkey();
    }

    private static int ofAnotherQp(Rig rig, Side side) throws VerbsException {
        Side more = rig.sideIn(side.pd(), SideOptions.standard());
        rig.connect(rig.side(SideOptions.standard()), more);
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.TWO);
        Windows.bind(more, window, Windows.binding(side), VerbsStatus.SUCCESS);
        return window.rkey();
    }

    private static int ofAnotherPd(Rig rig, Side side) throws VerbsException {
        Side stranger = Windows.pair(rig).responder();
        return Windows.bound(rig, stranger, MemoryWindow.Type.TWO).rkey();
    }

    private static void local(Rig rig, WrongKey key) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        int rkey = key.of(rig, side);

        Windows.invalidate(side, rkey, VerbsStatus.MW_BIND_ERR);

        side.expectState(QpState.ERR);
        pair.requester().expectState(QpState.RTS);
        side.ends();
    }

    private static void remote(Rig rig, WrongKey key) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side requester = pair.requester();
        Side responder = pair.responder();
        int rkey = key.of(rig, responder);
        Pattern.blank(responder.buffer());
        responder.receive(5, responder.sge(0, 64));

        requester.post(send(1, requester, 16, rkey));

        requester.sent(1, VerbsStatus.REM_ACCESS_ERR);
        responder.received(5, VerbsStatus.LOC_ACCESS_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.ERR);
        responder.event(AsyncEvent.Type.QP_ACCESS_ERR);
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        requester.ends();
        responder.ends();
    }

    private static SendWorkRequest send(long wrId, Side side, int length, int rkey) {
        return new SendWorkRequest.SendWithInvalidate(
                wrId, SendFlags.SIGNALLED, length == 0 ? List.of() : List.of(side.sge(0, length)), rkey);
    }

    @Case("after LOCAL_INV the key opens nothing (IBA 11.4.1.1)")
    static void localInvEndsKey(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.TWO);
        Windows.writes(pair, window.rkey(), side.at(Windows.OFFSET), Windows.OFFSET);

        Windows.invalidate(side, window.rkey(), VerbsStatus.SUCCESS);

        side.expectState(QpState.RTS);
        Windows.refuses(pair, Operation.READ, window.rkey(), side.at(Windows.OFFSET));
    }

    @Case("after LOCAL_INV the region can be deregistered")
    static void localInvFreesRegion(Rig rig) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryRegion region = side.pd().register(side.buffer(), Windows.BINDABLE);
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.TWO);
        Windows.bind(side, window, new WindowBinding(region, side.at(0), 64, Windows.REMOTE), VerbsStatus.SUCCESS);
        Expect.refused(VerbsStatus.EBUSY, "deregistering", region::close);

        Windows.invalidate(side, window.rkey(), VerbsStatus.SUCCESS);

        region.close();
    }

    @Case("an invalidated window can be bound again, to another key")
    static void localInvThenBind(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.TWO);
        int old = window.rkey();
        Windows.invalidate(side, old, VerbsStatus.SUCCESS);

        Windows.bind(side, window, Windows.binding(side), VerbsStatus.SUCCESS);

        Windows.writes(pair, window.rkey(), side.at(Windows.OFFSET), Windows.OFFSET);
        Windows.refuses(pair, old, side.at(Windows.OFFSET));
    }

    @Case("the key it had last is not given again at once: MW_BIND_ERR, choice")
    static void localInvThenSameKey(Rig rig) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.TWO);
        Windows.invalidate(side, window.rkey(), VerbsStatus.SUCCESS);

        side.post(new SendWorkRequest.BindWindow(3, SendFlags.SIGNALLED, window, window.rkey(), Windows.binding(side)));

        side.sent(3, VerbsStatus.MW_BIND_ERR);
    }

    @Case("an unsignalled LOCAL_INV writes no completion")
    static void localInvUnsignalled(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.TWO);

        side.post(new SendWorkRequest.LocalInvalidate(3, SendFlags.NONE, window.rkey()));

        side.noMoreSends();
        Windows.refuses(pair, window.rkey(), side.at(Windows.OFFSET));
    }

    @Case("a refused LOCAL_INV completes, signalled or not: MW_BIND_ERR")
    static void localInvUnsignalledError(Rig rig) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.TWO);

        side.post(new SendWorkRequest.LocalInvalidate(3, SendFlags.NONE, window.rkey()));

        side.sent(3, VerbsStatus.MW_BIND_ERR);
        side.expectState(QpState.ERR);
    }

    @Case("a bound window of type 2 must be invalidated first: MW_BIND_ERR (IBA table 78)")
    static void bindType2Twice(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.TWO);

        Windows.bindFails(side, pair.requester(), window, Windows.binding(side));
    }

    @Case("a bound window of type 2 is not taken over by another QP: MW_BIND_ERR")
    static void bindType2TwiceOtherQp(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.TWO);
        int bound = window.rkey();
        Side more = rig.sideIn(side.pd(), SideOptions.standard());
        Rig.Pair other = rig.connect(rig.side(SideOptions.standard()), more);

        Windows.bindFails(more, other.requester(), window, Windows.binding(side));

        Windows.writes(pair, bound, side.at(Windows.OFFSET), Windows.OFFSET);
    }

    private static void sendEnds(Rig rig, int length) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side requester = pair.requester();
        Side responder = pair.responder();
        MemoryWindow window = Windows.bound(rig, responder, MemoryWindow.Type.TWO);
        Pattern.fill(requester.buffer(), 0, 16, 7);
        Pattern.blank(responder.buffer());
        responder.receive(5, responder.sge(64, 64));

        requester.post(send(1, requester, length, window.rkey()));

        Expect.equal(Opcode.SEND, requester.sent(1, VerbsStatus.SUCCESS).opcode(), "opcode");
        WorkCompletion received = responder.received(5, VerbsStatus.SUCCESS);
        Expect.equal(Opcode.RECV, received.opcode(), "opcode");
        Expect.equal(length, received.byteCount(), "bytes");
        Expect.isTrue(received.hasInvalidatedKey(), "no invalidated key in " + received);
        Expect.isTrue(!received.hasImmediate(), "immediate data in " + received);
        Expect.equal(window.rkey(), received.invalidatedKey(), "invalidated key");
        Pattern.expectAlone(responder.buffer(), 64, length, 7, "responder's memory");
        Windows.refuses(pair, window.rkey(), responder.at(Windows.OFFSET));
    }

    @Case("without a receive: RNR, nothing is invalidated (resources before keys)")
    static void sendInvNoReceive(Rig rig) throws VerbsException {
        SideOptions options = SideOptions.impatient().withRegionAccess(Windows.BINDABLE);
        Rig.Pair pair = rig.pair(options);
        Side side = pair.responder();
        MemoryWindow window = Windows.bound(rig, side, MemoryWindow.Type.TWO);

        pair.requester().post(send(1, pair.requester(), 16, window.rkey()));

        pair.requester().sent(1, VerbsStatus.RNR_RETRY_EXC_ERR);
        side.expectState(QpState.RTS);
        Windows.invalidate(side, window.rkey(), VerbsStatus.SUCCESS);
    }

    @Case("a receive too small: REM_INV_REQ_ERR, nothing is invalidated")
    static void sendInvReceiveTooSmall(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryRegion region = side.pd().register(side.buffer(), Windows.BINDABLE);
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.TWO);
        Windows.bind(side, window, new WindowBinding(region, side.at(0), 64, Windows.REMOTE), VerbsStatus.SUCCESS);
        side.receive(5, side.sge(64, 15));

        pair.requester().post(send(1, pair.requester(), 16, window.rkey()));

        pair.requester().sent(1, VerbsStatus.REM_INV_REQ_ERR);
        side.received(5, VerbsStatus.LOC_LEN_ERR);
        Expect.refused(VerbsStatus.EBUSY, "deregistering", region::close);
        window.close();
        region.close();
    }

    @Case("the key ends with the last byte of a message of many packets")
    static void sendInvLarge(Rig rig) throws VerbsException {
        int length = 1 << 20;
        Rig.Pair pair = rig.pair(
                SideOptions.standard().withRegionAccess(Windows.BINDABLE).withBufferBytes(length));
        Side requester = pair.requester();
        Side responder = pair.responder();
        MemoryWindow window = Windows.bound(rig, responder, MemoryWindow.Type.TWO);
        Pattern.fill(requester.buffer(), 0, length, 7);
        responder.receive(5, responder.sge(0, length));

        requester.post(send(1, requester, length, window.rkey()));

        requester.sent(1, VerbsStatus.SUCCESS);
        WorkCompletion received = responder.received(5, VerbsStatus.SUCCESS);
        Expect.equal(window.rkey(), received.invalidatedKey(), "invalidated key");
        Pattern.expect(responder.buffer(), 0, length, 7, "responder's memory");
    }

    @Case("a completion without invalidation has no such flag")
    static void plainSendSaysNothing(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side responder = pair.responder();
        Side requester = pair.requester();
        for (Operation operation : List.of(Operation.SEND, Operation.SEND_WITH_IMM)) {
            responder.receive(5, responder.sge(0, 64));
            requester.post(operation.request(1, requester.sge(0, 16)));
            requester.sent(1, VerbsStatus.SUCCESS);
            WorkCompletion received = responder.received(5, VerbsStatus.SUCCESS);
            Expect.isTrue(!received.hasInvalidatedKey(), "invalidated key in " + received);
        }
    }
}
