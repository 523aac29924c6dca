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
import io.hyperverbs.lab.conformance.rig.UcSide;
import io.hyperverbs.lab.conformance.rig.UdSide;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.EnumSet;
import java.util.List;

/** What is lost on an unreliable connection: the sender hears nothing of it. */
@CaseGroup("uc")
public final class UcDropCases {
    private static final String DROPPED =
            "the responder drops a bad message without an answer: SUCCESS at the requester, both"
                    + " stay as they are (IBA 9.8.2)";

    private UcDropCases() {}

    private interface Target {
        /** Address and key of eight bytes that cannot be written. */
        long[] of(Rig rig, UcSide responder) throws VerbsException;
    }

    @CaseFamily
    static void families(CaseList cases) {
        addWrites(cases, "no-such-key", (rig, to) -> new long[] {to.at(0), UcSide.NO_KEY});
        addWrites(cases, "past-end", (rig, to) ->
                new long[] {to.at(8192 - 4), to.region().rkey()});
        addWrites(cases, "before-start", (rig, to) ->
                new long[] {to.at(-4), to.region().rkey()});
        addWrites(cases, "wraps-2-64", (rig, to) -> new long[] {-4, to.region().rkey()});
        addWrites(cases, "of-another-pd", UcDropCases::otherPd);
        addWrites(cases, "without-remote-write", UcDropCases::withoutRight);
        addWrites(cases, "deregistered", UcDropCases::deregistered);
        for (QpState state : List.of(QpState.RESET, QpState.INIT, QpState.ERR)) {
            cases.add("peer-in-" + QpStates.label(state) + "-drops", DROPPED, rig -> peerIn(rig, state));
        }
        for (Operation operation : List.of(Operation.READ, Operation.COMPARE_AND_SWAP, Operation.FETCH_AND_ADD)) {
            cases.add(
                    operation.label() + "-is-none-of-uc",
                    "UC has neither reads nor atomics: LOC_QP_OP_ERR, SQE (ibv_post_send)",
                    rig -> refusedOperation(rig, operation));
        }
    }

    private static void refusedOperation(Rig rig, Operation operation) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide from = pair.requester();

        from.post(operation.request(1, pair.responder(), 0, from.sge(0, 8)));

        from.sent(1, VerbsStatus.LOC_QP_OP_ERR);
        from.expectState(QpState.SQE);
        pair.responder().expectState(QpState.RTS);
    }

    private static void addWrites(CaseList cases, String what, Target target) {
        cases.add("write-" + what + "-drops", DROPPED, rig -> writeDropped(rig, target));
    }

    private static long[] otherPd(Rig rig, UcSide to) throws VerbsException {
        ProtectionDomain other = rig.closing(to.context().allocatePd());
        MemoryRegion region =
                rig.closing(other.register(to.buffer(), EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE)));
        return new long[] {region.address(), region.rkey()};
    }

    private static long[] withoutRight(Rig rig, UcSide to) throws VerbsException {
        MemoryRegion region =
                rig.closing(to.pd().register(to.buffer(), EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ)));
        return new long[] {region.address(), region.rkey()};
    }

    private static long[] deregistered(Rig rig, UcSide to) throws VerbsException {
        MemoryRegion region = to.pd().register(to.buffer(), EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        region.close();
        return new long[] {region.address(), region.rkey()};
    }

    private static void writeDropped(Rig rig, Target target) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide from = pair.requester();
        Pattern.blank(pair.responder().buffer());
        long[] addressAndKey = target.of(rig, pair.responder());

        from.post(Operation.WRITE.request(1, addressAndKey[0], (int) addressAndKey[1], List.of(from.sge(0, 8))));

        from.sent(1, VerbsStatus.SUCCESS);
        Pattern.expectBlank(pair.responder().buffer(), 0, 8192, "responder's memory");
        works(pair);
        pair.responder().noMoreEvents();
    }

    /** Both are in RTS, and a message gets through. */
    private static void works(UcSide.Pair pair) throws VerbsException {
        UcSide from = pair.requester();
        UcSide to = pair.responder();
        to.receive(91, to.sge(0, 8));
        arrives(pair, 91);
        from.ends();
        to.ends();
    }

    /** A message gets through into the receive {@code wrId}. */
    private static void arrives(UcSide.Pair pair, long wrId) throws VerbsException {
        UcSide from = pair.requester();
        from.expectState(QpState.RTS);
        pair.responder().expectState(QpState.RTS);
        Pattern.fill(from.buffer(), 0, 8, 7);
        from.post(Operation.SEND_WITH_IMM.request(92, from.sge(0, 8)));
        from.sent(92, VerbsStatus.SUCCESS);
        WorkCompletion found = pair.responder().received(wrId, VerbsStatus.SUCCESS);
        Expect.isTrue(found.hasImmediate(), "an earlier message arrived: " + found);
    }

    private static void sendsLost(UcSide from) {
        from.post(Operation.SEND.request(1, from.sge(0, 8)));
        from.sent(1, VerbsStatus.SUCCESS);
    }

    @Case("no receive posted: the message is lost, the next one is not (IBA 9.8.2)")
    static void noReceiveDrops(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);

        sendsLost(pair.requester());

        works(pair);
    }

    @Case("without a receive a write with immediate is dropped as a whole: choice")
    static void writeImmNoReceiveDropsDataToo(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide from = pair.requester();
        UcSide to = pair.responder();
        Pattern.blank(to.buffer());

        from.post(Operation.WRITE_WITH_IMM.request(1, to, 0, from.sge(0, 8)));

        from.sent(1, VerbsStatus.SUCCESS);
        Pattern.expectBlank(to.buffer(), 0, 8192, "responder's memory");
        works(pair);
    }

    @Case("a dropped write with immediate leaves its receive to the next one: choice")
    static void writeImmBadRkeyKeepsReceive(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide from = pair.requester();
        UcSide to = pair.responder();
        to.receive(5, to.sge(0, 8));
        Pattern.blank(to.buffer());

        from.post(Operation.WRITE_WITH_IMM.request(1, to.at(0), UcSide.NO_KEY, List.of(from.sge(0, 8))));

        from.sent(1, VerbsStatus.SUCCESS);
        Pattern.expectBlank(to.buffer(), 0, 8192, "responder's memory");
        arrives(pair, 5);
    }

    @Case(DROPPED)
    static void writeWithoutQpRightDrops(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(
                rig, SideOptions.standard(), SideOptions.standard().withQpAccess(EnumSet.of(Access.REMOTE_READ)));
        UcSide from = pair.requester();
        UcSide to = pair.responder();
        Pattern.blank(to.buffer());

        from.post(Operation.WRITE.request(1, to, 0, from.sge(0, 8)));

        from.sent(1, VerbsStatus.SUCCESS);
        Pattern.expectBlank(to.buffer(), 0, 8192, "responder's memory");
        works(pair);
    }

    @Case(DROPPED)
    static void peerAbsentDrops(Rig rig) throws VerbsException {
        UcSide from = UcSide.open(rig, "requester");
        UcSide gone = UcSide.open(rig, "responder");
        from.connect(gone.endpoint());
        gone.qp().close();

        sendsLost(from);

        from.expectState(QpState.RTS);
    }

    private static void peerIn(Rig rig, QpState state) throws VerbsException {
        UcSide from = UcSide.open(rig, "requester");
        UcSide to = UcSide.open(rig, "responder");
        from.connect(to.endpoint());
        if (state != QpState.RESET) {
            to.toInit();
            to.receive(5, to.sge(0, 8));
        }
        if (state == QpState.ERR) {
            to.toRtr(from.endpoint());
            to.to(QpState.ERR);
            to.received(5, VerbsStatus.WR_FLUSH_ERR);
        }

        sendsLost(from);

        from.expectState(QpState.RTS);
        to.expectState(state);
        to.receives().pollsEmpty();
    }

    @Case(DROPPED)
    static void peerOfRcDrops(Rig rig) throws VerbsException {
        UcSide from = UcSide.open(rig, "sender");
        Side peer = rig.side(SideOptions.standard());
        peer.connect(from.endpoint());
        peer.receive(5, peer.sge(0, 64));
        from.connect(peer.endpoint());

        sendsLost(from);

        peer.expectState(QpState.RTS);
        peer.ends(5);
    }

    @Case(DROPPED)
    static void peerOfUdDrops(Rig rig) throws VerbsException {
        UcSide from = UcSide.open(rig, "sender");
        UdSide peer = UdSide.active(rig, "peer");
        peer.receive(5, peer.sge(0, 64));
        from.connect(new Endpoint(from.endpoint().lid(), peer.qp().qpn(), 0, 0, 0, 0));

        sendsLost(from);

        peer.expectState(QpState.RTS);
        peer.ends(5);
    }

    @Case(DROPPED)
    static void peerConnectedElsewhereDrops(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide stranger = UcSide.open(rig, "stranger");
        pair.responder().receive(5, pair.responder().sge(0, 8));
        stranger.connect(pair.responder().endpoint());

        sendsLost(stranger);

        arrives(pair, 5);
    }

    @Case(DROPPED)
    static void otherPkeyDropsAndCounts(Rig rig) throws VerbsException {
        UcSide.Pair pair =
                UcSide.pair(rig, SideOptions.standard(), SideOptions.standard().with(QpAttribute.PKEY_INDEX, 1));
        UcSide to = pair.responder();
        int before = to.context().queryPort(1).badPkeys();
        to.receive(5, to.sge(0, 8));

        sendsLost(pair.requester());

        Expect.isTrue(to.context().queryPort(1).badPkeys() > before, "bad_pkey_cntr did not grow");
        to.ends(5);
    }

    @Case("a message with another PSN than expected is a new start (IBA 9.8.2.1)")
    static void psnGapIsForgiven(Rig rig) throws VerbsException {
        UcSide from = UcSide.open(rig, "requester");
        UcSide to = UcSide.open(rig, "responder");
        Endpoint known = from.endpoint();
        to.connect(new Endpoint(
                known.lid(), known.qpn(), known.psn() ^ 0x800, known.address(), known.rkey(), known.lengthBytes()));
        from.connect(to.endpoint());
        to.receive(5, to.sge(0, 8));

        arrives(new UcSide.Pair(from, to), 5);
    }

    @Case("too small a receive: LOC_LEN_ERR and ERR there, SUCCESS at the requester")
    static void receiveTooSmall(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide to = pair.responder();
        to.receive(5, to.sge(0, 7));
        to.receive(6, to.sge(0, 8));

        sendsLost(pair.requester());

        WorkCompletion failed = to.received(5, VerbsStatus.LOC_LEN_ERR);
        Expect.equal(VendorError.RECEIVE_TOO_SMALL, failed.vendorError(), "vendor_err");
        to.received(6, VerbsStatus.WR_FLUSH_ERR);
        to.expectState(QpState.ERR);
        pair.requester().expectState(QpState.RTS);
    }

    @Case("a receive with a bad key: LOC_PROT_ERR and ERR there, SUCCESS at the requester")
    static void receiveBadLkey(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide to = pair.responder();
        Pattern.blank(to.buffer());
        to.receive(5, new Sge(to.at(0), 8, UcSide.NO_KEY));

        sendsLost(pair.requester());

        to.received(5, VerbsStatus.LOC_PROT_ERR);
        to.expectState(QpState.ERR);
        pair.requester().expectState(QpState.RTS);
        Pattern.expectBlank(to.buffer(), 0, 8192, "responder's memory");
    }
}
