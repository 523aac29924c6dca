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
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What binding a memory window asks of region, range, rights and protection domains. */
@CaseGroup("mw")
public final class WindowBindCases {
    private WindowBindCases() {}

    /** A range relative to the region of 8192 bytes. */
    private enum Range {
        WHOLE(0, 8192, true),
        FIRST_BYTE(0, 1, true),
        LAST_BYTE(8191, 1, true),
        ONE_PAST_END(8192, 1, false),
        ONE_TOO_LONG(0, 8193, false),
        BEFORE_START(-1, 2, false),
        ENDS_PAST_END(8000, 193, false),
        WRAPS_2_64(8, -8, false),
        LARGEST_LENGTH(0, -1, false),
        HALF_OF_ALL(0, Long.MIN_VALUE, false);

        private final long offset;
        private final long length;
        private final boolean inside;

        Range(long offset, long length, boolean inside) {
            this.offset = offset;
            this.length = length;
            this.inside = inside;
        }
    }

    @CaseFamily
    static void families(CaseList cases) {
        for (MemoryWindow.Type type : Windows.types()) {
            for (Range range : Range.values()) {
                cases.add(
                        "bind-" + Windows.label(type) + "-" + label(range.name()),
                        range.inside
                                ? "a range inside the region binds (IBA 10.6.7.2.2)"
                                : "a range not inside the region, 2^64 wrapped too: MW_BIND_ERR, the peer stays RTS"
                                        + " (IBA C10-75)",
                        rig -> range(rig, type, range));
            }
            for (boolean mayBind : new boolean[] {true, false}) {
                for (boolean localWrite : new boolean[] {true, false}) {
                    for (int mask = 0; mask < 8; mask++) {
                        addRights(cases, type, mayBind, localWrite, Access.of(mask << 1));
                    }
                }
            }
            cases.add(
                    "bind-" + Windows.label(type) + "-region-of-another-pd",
                    "PDs of QP, window and region differ: EPERM or MW_BIND_ERR (IBA C10-72)",
                    rig -> regionOfAnotherPd(rig, type));
            cases.add(
                    "bind-" + Windows.label(type) + "-window-of-another-pd",
                    "a window of another PD: MW_BIND_ERR (IBA C10-72)",
                    rig -> windowOfAnotherPd(rig, type));
            cases.add(
                    "bind-" + Windows.label(type) + "-deregistered-region",
                    "a region that is gone: MW_BIND_ERR",
                    rig -> goneRegion(rig, type));
            cases.add(
                    "bind-" + Windows.label(type) + "-destroyed-window",
                    "a window that is gone: MW_BIND_ERR",
                    rig -> goneWindow(rig, type));
            cases.add(
                    "bind-" + Windows.label(type) + "-local-rights",
                    "a window has remote rights alone: LOCAL_WRITE or MW_BIND: MW_BIND_ERR, choice",
                    rig -> localRights(rig, type));
            cases.add(
                    "bind-" + Windows.label(type) + "-in-err-flushes",
                    "a bind posted in ERR: WR_FLUSH_ERR, nothing bound",
                    rig -> flushes(rig, type));
        }
    }

    private static void addRights(
            CaseList cases, MemoryWindow.Type type, boolean mayBind, boolean localWrite, Set<Access> rights) {
        boolean writes = rights.contains(Access.REMOTE_WRITE) || rights.contains(Access.REMOTE_ATOMIC);
        boolean binds = mayBind && (localWrite || !writes);
        cases.add(
                "bind-"
                        + Windows.label(type)
                        + (mayBind ? "" : "-without-mw-bind")
                        + (localWrite ? "" : "-without-local-write")
                        + "-"
                        + (rights.isEmpty() ? "no-right" : label(rights)),
                binds
                        ? "MW_BIND, and LOCAL_WRITE for a window that writes, are enough (IBA C10-73, C10-74)"
                        : "region without MW_BIND, or without LOCAL_WRITE under a window that"
                                + " writes: MW_BIND_ERR (IBA C10-73, C10-74)",
                rig -> rights(rig, type, mayBind, localWrite, rights, binds));
    }

    private static void range(Rig rig, MemoryWindow.Type type, Range range) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.allocate(rig, side, type);
        WindowBinding binding = new WindowBinding(side.region(), side.at(range.offset), range.length, Windows.REMOTE);

        if (range.inside) {
            Windows.bind(side, window, binding, VerbsStatus.SUCCESS);
        } else {
            Windows.bindFails(side, pair.requester(), window, binding);
        }
    }

    private static void rights(
            Rig rig, MemoryWindow.Type type, boolean mayBind, boolean localWrite, Set<Access> rights, boolean binds)
            throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        EnumSet<Access> ofRegion = EnumSet.of(Access.REMOTE_READ);
        if (mayBind) {
            ofRegion.add(Access.MW_BIND);
        }
        if (localWrite) {
            ofRegion.add(Access.LOCAL_WRITE);
        }
        MemoryRegion region = rig.closing(side.pd().register(side.buffer(), ofRegion));
        MemoryWindow window = Windows.allocate(rig, side, type);
        WindowBinding binding = new WindowBinding(region, region.address(), 64, rights);

        if (binds) {
            Windows.bind(side, window, binding, VerbsStatus.SUCCESS);
        } else {
            Windows.bindFails(side, pair.requester(), window, binding);
        }
    }

    private static void regionOfAnotherPd(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        ProtectionDomain other = rig.closing(side.context().allocatePd());
        MemoryRegion region = rig.closing(other.register(side.buffer(), Windows.BINDABLE));
        MemoryWindow window = Windows.allocate(rig, side, type);
        WindowBinding binding = new WindowBinding(region, region.address(), 64, Windows.REMOTE);

        if (type == MemoryWindow.Type.ONE) {
            Expect.equal(VerbsStatus.EPERM, side.qp().bind(1, SendFlags.SIGNALLED, window, binding), "bind_mw");
            side.noMoreSends();
        } else {
            Windows.bindFails(side, pair.requester(), window, binding);
        }
    }

    private static void windowOfAnotherPd(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        ProtectionDomain other = rig.closing(side.context().allocatePd());
        MemoryWindow window = rig.closing(other.allocateWindow(type));
        // For type 1 window and region share the other PD, and the queue pair alone differs.
        MemoryRegion region = type == MemoryWindow.Type.ONE
                ? rig.closing(other.register(side.buffer(), Windows.BINDABLE))
                : side.region();

        Windows.bindFails(
                side, pair.requester(), window, new WindowBinding(region, region.address(), 64, Windows.REMOTE));
    }

    private static void goneRegion(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryRegion region = side.pd().register(side.buffer(), Windows.BINDABLE);
        MemoryWindow window = Windows.allocate(rig, side, type);
        region.close();

        Windows.bindFails(side, pair.requester(), window, new WindowBinding(region, side.at(0), 64, Windows.REMOTE));
    }

    private static void goneWindow(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = side.pd().allocateWindow(type);
        window.close();

        Windows.bindFails(side, pair.requester(), window, Windows.binding(side));
    }

    private static void localRights(Rig rig, MemoryWindow.Type type) throws VerbsException {
        for (Access right : List.of(Access.LOCAL_WRITE, Access.MW_BIND)) {
            Rig.Pair pair = Windows.pair(rig);
            Side side = pair.responder();

            Windows.bindFails(
                    side, pair.requester(), Windows.allocate(rig, side, type), Windows.binding(side, Set.of(right)));
        }
    }

    private static void flushes(Rig rig, MemoryWindow.Type type) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.allocate(rig, side, type);
        side.to(QpState.ERR);

        Windows.bind(side, window, Windows.binding(side), VerbsStatus.WR_FLUSH_ERR);

        Windows.revive(rig, pair);
        Windows.refuses(pair, window.rkey(), side.at(Windows.OFFSET));
    }

    @Case("a bind before RTS: EINVAL, choice")
    static void bindType1BeforeRts(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard());
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.ONE);
        int before = window.rkey();
        side.toInit();

        Expect.equal(
                VerbsStatus.EINVAL,
                side.qp().bind(1, SendFlags.SIGNALLED, window, Windows.binding(side)),
                "bind_mw in INIT");
        Expect.equal(before, window.rkey(), "key after a refused bind");
    }

    @Case("ibv_bind_mw takes type 1 alone: EINVAL (ibv_bind_mw)")
    static void bindType1VerbRefusesType2(Rig rig) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.TWO);

        Expect.equal(
                VerbsStatus.EINVAL, side.qp().bind(1, SendFlags.SIGNALLED, window, Windows.binding(side)), "bind_mw");
        side.noMoreSends();
    }

    @Case("a BIND_MW request takes type 2 alone: EINVAL (ibv_post_send)")
    static void bindType2PostRefusesType1(Rig rig) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.ONE);

        Expect.equal(
                VerbsStatus.EINVAL, side.qp().postSend(Windows.request(window, 1, Windows.binding(side))), "post_send");
        side.noMoreSends();
    }

    @Case("a zero-based window of type 1: EINVAL (IBA o10-36.2.2)")
    static void bindType1ZeroBased(Rig rig) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.ONE);

        Expect.equal(
                VerbsStatus.EINVAL,
                side.qp().bind(1, SendFlags.SIGNALLED, window, Windows.binding(side, Set.of(Access.ZERO_BASED))),
                "bind_mw");
        side.noMoreSends();
    }

    @Case("type 2 is not unbound by binding to no bytes: MW_BIND_ERR (IBA o10-37.2.40)")
    static void bindType2ZeroLength(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();

        Windows.bindFails(
                side,
                pair.requester(),
                Windows.allocate(rig, side, MemoryWindow.Type.TWO),
                new WindowBinding(side.region(), side.at(0), 0, Windows.REMOTE));
    }

    @Case("an unsignalled bind that succeeds writes no completion")
    static void bindUnsignalled(Rig rig) throws VerbsException {
        Rig.Pair pair = Windows.pair(rig);
        Side side = pair.responder();
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.TWO);

        side.post(new SendWorkRequest.BindWindow(3, SendFlags.NONE, window, 17, Windows.binding(side)));

        side.noMoreSends();
        Windows.writes(pair, window.rkey(), side.at(Windows.OFFSET), Windows.OFFSET);
    }

    @Case("an unsignalled bind that fails completes all the same")
    static void bindUnsignalledError(Rig rig) throws VerbsException {
        Side side = Windows.pair(rig).responder();
        MemoryWindow window = Windows.allocate(rig, side, MemoryWindow.Type.TWO);
        WindowBinding beyond = new WindowBinding(side.region(), side.at(8192), 8, Windows.REMOTE);

        side.post(new SendWorkRequest.BindWindow(3, SendFlags.NONE, window, 17, beyond));

        side.sent(3, VerbsStatus.MW_BIND_ERR);
        side.ends();
    }

    private static String label(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String label(Set<Access> rights) {
        return String.join(
                "-", rights.stream().map(right -> label(right.name())).toList());
    }
}
