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
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Mistakes in the requester's own memory: they end its queue pair and never reach the peer. */
@CaseGroup("errors")
public final class LocalErrorCases {
    private static final int REGION_OFFSET = 2048;
    private static final int REGION_BYTES = 1024;

    private LocalErrorCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.values()) {
            addOutside(cases, operation, "past-end", REGION_BYTES - 7L);
            addOutside(cases, operation, "before-start", -1L);
            cases.add(
                    operation.label() + "-local-wraps-2-64",
                    "a local piece that wraps 2^64: LOC_PROT_ERR, local ERR only",
                    rig -> fails(rig, operation, VerbsStatus.LOC_PROT_ERR, lkey -> sge(-4, 8, lkey)));
            if (operation.writesLocally()) {
                cases.add(
                        operation.label() + "-without-local-write",
                        "a result for a region without LOCAL_WRITE: LOC_PROT_ERR (ibv_reg_mr)",
                        rig -> withoutLocalWrite(rig, operation));
            }
            cases.add(
                    operation.label() + "-unsignalled-error",
                    "a failed request completes even if it was unsignalled (ibv_post_send)",
                    rig -> unsignalledError(rig, operation));
        }
        for (Operation operation : List.of(Operation.SEND, Operation.WRITE)) {
            cases.add(
                    operation.label() + "-sum-wraps-2-32",
                    "lengths are summed in 64 bits; above the largest message: LOC_LEN_ERR",
                    rig -> sumWraps(rig, operation));
            cases.add(
                    operation.label() + "-second-piece-bad",
                    "one bad piece fails the request; the peer sees nothing of it",
                    rig -> secondPieceBad(rig, operation));
        }
    }

    private interface Piece {
        Sge of(int lkey);
    }

    private static Sge sge(long address, int lengthBytes, int lkey) {
        return new Sge(address, lengthBytes, lkey);
    }

    private static void addOutside(CaseList cases, Operation operation, String name, long start) {
        cases.add(
                operation.label() + "-local-" + name,
                "a local piece not inside its region: LOC_PROT_ERR, local ERR only (ibv_poll_cq)",
                rig -> outside(rig, operation, start));
    }

    private static void outside(Rig rig, Operation operation, long start) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        MemoryRegion region = middle(rig, requester, SideOptions.standard().regionAccess());

        fails(pair, operation, VerbsStatus.LOC_PROT_ERR, region.sge(start, 8));
    }

    private static MemoryRegion middle(Rig rig, Side side, Set<Access> rights) throws VerbsException {
        return rig.closing(side.pd().register(side.buffer().asSlice(REGION_OFFSET, REGION_BYTES), rights));
    }

    private static void fails(Rig rig, Operation operation, VerbsStatus expected, Piece piece) throws VerbsException {
        Rig.Pair pair = rig.pair();
        fails(pair, operation, expected, piece.of(pair.requester().region().lkey()));
    }

    private static WorkCompletion fails(Rig.Pair pair, Operation operation, VerbsStatus expected, Sge... pieces)
            throws VerbsException {
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.blank(requester.buffer());
        Pattern.blank(responder.buffer());
        responder.receive(5, responder.sge(0, 4096));

        requester.post(operation.request(1, responder, 0, pieces));

        WorkCompletion failed = requester.sent(1, expected);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.RTS);
        Pattern.expectBlank(requester.buffer(), 0, 8192, "requester's memory");
        if (!operation.isAtomic()) {
            Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        }
        requester.ends();
        responder.ends(5);
        return failed;
    }

    private static void withoutLocalWrite(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        MemoryRegion region = middle(rig, pair.requester(), EnumSet.of(Access.REMOTE_READ));

        fails(pair, operation, VerbsStatus.LOC_PROT_ERR, region.sge(0, 8));
    }

    private static void unsignalledError(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();

        requester.post(operation.request(
                1, SendFlags.NONE, responder.at(0), responder.region().rkey(), List.of(sge(requester.at(0), 8, 0))));

        requester.sent(1, VerbsStatus.LOC_PROT_ERR);
        requester.ends();
    }

    private static void sumWraps(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Sge quarter = pair.requester().sge(0, 1 << 30);

        fails(pair, operation, VerbsStatus.LOC_LEN_ERR, quarter, quarter, quarter, quarter);
    }

    private static void secondPieceBad(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();

        fails(
                pair,
                operation,
                VerbsStatus.LOC_PROT_ERR,
                requester.sge(0, 8),
                sge(requester.at(8), 8, 0),
                requester.sge(16, 8));
    }

    @Case("vendor_err names the failed check, the key and the range: choice")
    static void saysWhichLkey(Rig rig) throws VerbsException {
        Rig.Pair keys = rig.pair();
        WorkCompletion wrongKey = fails(
                keys,
                Operation.WRITE,
                VerbsStatus.LOC_PROT_ERR,
                sge(keys.requester().at(0), 8, 0x0bad_0bad));
        Expect.equal(VendorError.KEY_NOT_IN_PD, wrongKey.vendorError(), "vendor_err");
        Expect.equal(0x0bad_0bad, wrongKey.faultKey(), "key named");

        Rig.Pair ranges = rig.pair();
        Side requester = ranges.requester();
        WorkCompletion wrongRange = fails(ranges, Operation.WRITE, VerbsStatus.LOC_PROT_ERR, requester.sge(8190, 16));
        Expect.equal(VendorError.KEY_RANGE, wrongRange.vendorError(), "vendor_err");
        Expect.equal(requester.region().lkey(), wrongRange.faultKey(), "key named");
        Expect.equal(requester.at(8190), wrongRange.faultAddress(), "address named");
        Expect.equal(16L, wrongRange.faultLengthBytes(), "length named");
    }
}
