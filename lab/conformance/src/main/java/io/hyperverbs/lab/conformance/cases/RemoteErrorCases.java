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
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.EnumSet;
import java.util.List;

/** What the responder finds wrong, and which of two mistakes it names. */
@CaseGroup("errors")
public final class RemoteErrorCases {
    private static final int NO_KEY = 0x0bad_0bad;

    private RemoteErrorCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        int[][] tooSmall = {{1, 0}, {65, 64}, {4097, 4096}, {8192, 1}};
        for (int[] sizes : tooSmall) {
            for (Operation operation : List.of(Operation.SEND, Operation.SEND_WITH_IMM)) {
                cases.add(
                        operation.label() + "-" + sizes[0] + "-into-" + sizes[1],
                        "a receive too small: LOC_LEN_ERR there, REM_INV_REQ_ERR at the requester, both ERR (IBA"
                                + " 9.7.5.2.6)",
                        rig -> receiveTooSmall(rig, operation, sizes[0], sizes[1]));
            }
        }
        for (Operation operation : List.of(Operation.WRITE, Operation.WRITE_WITH_IMM, Operation.READ)) {
            cases.add(
                    "zero-length-" + operation.label() + "-any-key",
                    "no bytes: neither address nor key is looked at (IBA C9-88)",
                    rig -> zeroLength(rig, operation));
            cases.add(
                    "zero-length-" + operation.label() + "-without-qp-right",
                    "no bytes: the QP's right is asked for all the same: REM_INV_REQ_ERR, choice",
                    rig -> zeroLengthWithoutRight(rig, operation));
        }
        addReceive(cases, "past-end", (rig, side) -> side.sge(8192 - 4, 8));
        addReceive(cases, "before-start", (rig, side) -> side.sge(-4, 8));
        addReceive(
                cases, "wraps-2-64", (rig, side) -> new Sge(-4, 8, side.region().lkey()));
        addReceive(cases, "no-such-key", (rig, side) -> new Sge(side.at(0), 8, NO_KEY));
        addReceive(cases, "without-local-write", RemoteErrorCases::readOnly);
        addOrder(cases, Operation.SEND, VerbsStatus.LOC_PROT_ERR);
        addOrder(cases, Operation.WRITE, VerbsStatus.LOC_PROT_ERR);
        addOrder(cases, Operation.WRITE_WITH_IMM, VerbsStatus.LOC_PROT_ERR);
        addOrder(cases, Operation.READ, VerbsStatus.REM_ACCESS_ERR);
        addOrder(cases, Operation.COMPARE_AND_SWAP, VerbsStatus.REM_ACCESS_ERR);
        addOrder(cases, Operation.FETCH_AND_ADD, VerbsStatus.REM_ACCESS_ERR);
        for (Operation operation : List.of(Operation.COMPARE_AND_SWAP, Operation.FETCH_AND_ADD)) {
            cases.add(
                    operation.label() + "-misaligned-before-key",
                    "a misaligned atomic is reported before a bad key: REM_INV_REQ_ERR, choice",
                    rig -> misalignedBeforeKey(rig, operation));
        }
    }

    private interface Piece {
        Sge of(Rig rig, Side responder) throws VerbsException;
    }

    private static void addReceive(CaseList cases, String what, Piece piece) {
        cases.add(
                "receive-" + what,
                "a receive whose memory fails its check: LOC_PROT_ERR there, REM_OP_ERR at the"
                        + " requester, both ERR (IBA 9.7.5.2.6)",
                rig -> badReceive(rig, piece));
    }

    private static void addOrder(CaseList cases, Operation operation, VerbsStatus expected) {
        cases.add(
                operation.label() + "-both-keys-bad",
                "sends and writes look at local keys first; reads and atomics report the remote error first: choice",
                rig -> bothKeysBad(rig, operation, expected));
    }

    private static void expectBothErr(Rig.Pair pair) throws VerbsException {
        pair.requester().expectState(QpState.ERR);
        pair.responder().expectState(QpState.ERR);
    }

    private static void receiveTooSmall(Rig rig, Operation operation, int sent, int room) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());
        Pattern.fill(requester.buffer(), 0, sent, 1);
        if (room == 0) {
            responder.receive(5);
        } else {
            responder.receive(5, responder.sge(0, room));
        }
        responder.receive(6, responder.sge(0, 8192));

        requester.post(operation.request(1, requester.sge(0, sent)));

        requester.sent(1, VerbsStatus.REM_INV_REQ_ERR);
        WorkCompletion failed = responder.received(5, VerbsStatus.LOC_LEN_ERR);
        Expect.equal(VendorError.RECEIVE_TOO_SMALL, failed.vendorError(), "vendor_err");
        responder.received(6, VerbsStatus.WR_FLUSH_ERR);
        expectBothErr(pair);
        Pattern.expectBlank(responder.buffer(), room, 8192L - room, "memory beyond the receive");
        requester.ends();
        responder.ends();
        responder.noMoreEvents();
    }

    private static void zeroLength(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        List<List<Sge>> nothing = List.of(List.of(), List.of(new Sge(-1, 0, NO_KEY)));
        for (List<Sge> pieces : nothing) {
            responder.receive(5);
            requester.post(operation.request(1, -1, NO_KEY, pieces));
            requester.sent(1, VerbsStatus.SUCCESS);
            if (operation.consumesReceive()) {
                Expect.equal(0, responder.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
            }
        }
        requester.expectState(QpState.RTS);
        responder.expectState(QpState.RTS);
    }

    private static void zeroLengthWithoutRight(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair =
                rig.pair(SideOptions.standard(), SideOptions.standard().withQpAccess(EnumSet.of(Access.REMOTE_ATOMIC)));
        pair.responder().receive(5);

        pair.requester().post(operation.request(1));

        pair.requester().sent(1, VerbsStatus.REM_INV_REQ_ERR);
        expectBothErr(pair);
        pair.responder().event(AsyncEvent.Type.QP_REQ_ERR);
    }

    private static Sge readOnly(Rig rig, Side responder) throws VerbsException {
        MemoryRegion region = rig.closing(responder.pd().register(responder.buffer(), EnumSet.of(Access.REMOTE_READ)));
        return region.sge(0, 8);
    }

    private static void badReceive(Rig rig, Piece piece) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.fill(requester.buffer(), 0, 8, 1);
        Pattern.blank(responder.buffer());
        responder.receive(5, piece.of(rig, responder));
        responder.receive(6, responder.sge(0, 8));

        requester.post(Operation.SEND.request(1, requester.sge(0, 8)));

        requester.sent(1, VerbsStatus.REM_OP_ERR);
        responder.received(5, VerbsStatus.LOC_PROT_ERR);
        responder.received(6, VerbsStatus.WR_FLUSH_ERR);
        expectBothErr(pair);
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        responder.ends();
        responder.noMoreEvents();
    }

    private static void bothKeysBad(Rig rig, Operation operation, VerbsStatus expected) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        pair.responder().receive(5);

        requester.post(
                operation.request(1, pair.responder().at(0), NO_KEY, List.of(new Sge(requester.at(0), 8, NO_KEY))));

        requester.sent(1, expected);
        requester.expectState(QpState.ERR);
        boolean remote = expected == VerbsStatus.REM_ACCESS_ERR;
        pair.responder().expectState(remote ? QpState.ERR : QpState.RTS);
    }

    private static void misalignedBeforeKey(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();

        requester.post(operation.request(1, pair.responder().at(4), NO_KEY, List.of(requester.sge(0, 8))));

        requester.sent(1, VerbsStatus.REM_INV_REQ_ERR);
        expectBothErr(pair);
        pair.responder().event(AsyncEvent.Type.QP_REQ_ERR);
    }

    @Case("a bad rkey with immediate: the receive ends with an error, data untouched")
    static void writeImmBadRkeyTakesReceive(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());
        responder.receive(5, responder.sge(0, 64));
        responder.receive(6, responder.sge(0, 64));

        requester.post(Operation.WRITE_WITH_IMM.request(1, responder.at(0), NO_KEY, List.of(requester.sge(0, 64))));

        requester.sent(1, VerbsStatus.REM_ACCESS_ERR);
        WorkCompletion taken = responder.receives().next();
        Expect.equal(5L, taken.wrId(), "wr_id of the receive that ended");
        Expect.isTrue(taken.status() != VerbsStatus.SUCCESS, "the receive succeeded");
        responder.received(6, VerbsStatus.WR_FLUSH_ERR);
        expectBothErr(pair);
        responder.event(AsyncEvent.Type.QP_ACCESS_ERR);
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        responder.ends();
    }

    @Case("a missing receive is reported before a bad rkey: RNR_RETRY_EXC_ERR, choice")
    static void writeImmNoReceiveBeforeRkey(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.impatient());
        Side requester = pair.requester();

        requester.post(
                Operation.WRITE_WITH_IMM.request(1, pair.responder().at(0), NO_KEY, List.of(requester.sge(0, 64))));

        requester.sent(1, VerbsStatus.RNR_RETRY_EXC_ERR);
        pair.responder().expectState(QpState.RTS);
    }

    @Case("a read to a responder that takes none: REM_INV_REQ_ERR, both ERR (IBA 9.7.4.1)")
    static void readBeyondResponderDepth(Rig rig) throws VerbsException {
        Rig.Pair pair =
                rig.pair(SideOptions.standard(), SideOptions.standard().with(QpAttribute.MAX_DEST_RD_ATOMIC, 0));
        Side requester = pair.requester();
        Side responder = pair.responder();

        requester.post(Operation.READ.request(1, responder, 0, requester.sge(0, 8)));

        requester.sent(1, VerbsStatus.REM_INV_REQ_ERR);
        expectBothErr(pair);
    }

    @Case("vendor_err at the requester names the key that failed: choice")
    static void saysWhichRkey(Side requester, Side responder) throws VerbsException {
        requester.post(Operation.WRITE.request(1, responder.at(0), NO_KEY, List.of(requester.sge(0, 8))));

        WorkCompletion failed = requester.sent(1, VerbsStatus.REM_ACCESS_ERR);
        Expect.equal(VendorError.KEY_NOT_IN_PD, failed.vendorError(), "vendor_err");
        Expect.equal(NO_KEY, failed.faultKey(), "key named");
    }

    @Case("after a remote error the responder's own requests flush")
    static void responderPostsFlushToo(Side requester, Side responder) throws VerbsException {
        requester.post(Operation.WRITE.request(1, responder.at(0), NO_KEY, List.of(requester.sge(0, 8))));
        requester.sent(1, VerbsStatus.REM_ACCESS_ERR);

        responder.post(Operation.WRITE.request(2, requester, 0, responder.sge(0, 8)));

        responder.sent(2, VerbsStatus.WR_FLUSH_ERR);
    }
}
