package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.WorkCompletion.Opcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Steps with memory windows. */
final class Windows {
    /** Every right a region can give, with MW_BIND. */
    static final Set<Access> BINDABLE = EnumSet.of(
            Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC, Access.MW_BIND);

    /** Every right a window can give. */
    static final Set<Access> REMOTE = EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    /** Where the windows of cases lie in their region, and how long they are. */
    static final int OFFSET = 2048;

    static final int BYTES = 1024;

    private static final long BIND = 0x62_69_6e_64L;

    private Windows() {}

    /** Connected sides whose regions may have windows. */
    static Rig.Pair pair(Rig rig) throws VerbsException {
        return rig.pair(SideOptions.standard().withRegionAccess(BINDABLE));
    }

    static MemoryWindow allocate(Rig rig, Side side, MemoryWindow.Type type) throws VerbsException {
        return rig.closing(side.pd().allocateWindow(type));
    }

    /** The standard part of the side's region, with all remote rights. */
    static WindowBinding binding(Side side) {
        return binding(side, REMOTE);
    }

    static WindowBinding binding(Side side, Set<Access> access) {
        return new WindowBinding(side.region(), side.at(OFFSET), BYTES, access);
    }

    /** A window bound to the standard part through the side's queue pair. */
    static MemoryWindow bound(Rig rig, Side side, MemoryWindow.Type type) throws VerbsException {
        MemoryWindow window = allocate(rig, side, type);
        bind(side, window, binding(side), VerbsStatus.SUCCESS);
        return window;
    }

    /** Binds, to the next key, and takes the completion, which must be of that status. */
    static void bind(Side side, MemoryWindow window, WindowBinding binding, VerbsStatus expected) {
        if (window.type() == MemoryWindow.Type.ONE) {
            Expect.equal(
                    VerbsStatus.SUCCESS, side.qp().bind(BIND, SendFlags.SIGNALLED, window, binding), side + " bind_mw");
        } else {
            side.post(request(window, MemoryWindow.nextKey(window.rkey()), binding));
        }
        WorkCompletion completion = side.sent(BIND, expected);
        if (expected == VerbsStatus.SUCCESS) {
            Expect.equal(Opcode.BIND_MW, completion.opcode(), "opcode");
        }
    }

    static SendWorkRequest request(MemoryWindow window, int tag, WindowBinding binding) {
        return new SendWorkRequest.BindWindow(BIND, SendFlags.SIGNALLED, window, tag, binding);
    }

    /** A bind that must fail as a local error: the side in ERR, its peer still in RTS. */
    static void bindFails(Side side, Side peer, MemoryWindow window, WindowBinding binding) throws VerbsException {
        bind(side, window, binding, VerbsStatus.MW_BIND_ERR);
        side.expectState(QpState.ERR);
        peer.expectState(QpState.RTS);
        side.ends();
    }

    static void invalidate(Side side, int rkey, VerbsStatus expected) {
        side.post(new SendWorkRequest.LocalInvalidate(9, SendFlags.SIGNALLED, rkey));
        WorkCompletion completion = side.sent(9, expected);
        if (expected == VerbsStatus.SUCCESS) {
            Expect.equal(Opcode.LOCAL_INV, completion.opcode(), "opcode");
        }
    }

    /** A write of 16 bytes through that key must land at the address and nowhere else. */
    static void writes(Rig.Pair pair, int rkey, long remoteAddress, long landsAt) {
        Side requester = pair.requester();
        Pattern.blank(pair.responder().buffer());
        Pattern.fill(requester.buffer(), 0, 16, 7);
        Transfers.post(Operation.WRITE, requester, 1, remoteAddress, rkey, requester.sge(0, 16));
        requester.sent(1, VerbsStatus.SUCCESS);
        Pattern.expectAlone(pair.responder().buffer(), landsAt, 16, 7, "responder's memory");
    }

    /** A write through that key is refused: both ERR, the event, no byte. */
    static void refuses(Rig.Pair pair, int rkey, long remoteAddress) throws VerbsException {
        refuses(pair, Operation.WRITE, rkey, remoteAddress);
    }

    static void refuses(Rig.Pair pair, Operation operation, int rkey, long remoteAddress) throws VerbsException {
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());
        Pattern.blank(requester.buffer());
        int length = operation.isAtomic() ? 8 : 16;
        Transfers.post(operation, requester, 1, remoteAddress, rkey, requester.sge(0, length));
        requester.sent(1, VerbsStatus.REM_ACCESS_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.ERR);
        responder.event(AsyncEvent.Type.QP_ACCESS_ERR);
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        Pattern.expectBlank(requester.buffer(), 0, 8192, "requester's memory");
    }

    /** Takes both from any state through RESET to RTS again. */
    static void revive(Rig rig, Rig.Pair pair) throws VerbsException {
        pair.requester().to(QpState.RESET);
        pair.responder().to(QpState.RESET);
        rig.connect(pair.requester(), pair.responder());
    }

    static List<MemoryWindow.Type> types() {
        return List.of(MemoryWindow.Type.ONE, MemoryWindow.Type.TWO);
    }

    static String label(MemoryWindow.Type type) {
        return "type-" + type.code();
    }
}
