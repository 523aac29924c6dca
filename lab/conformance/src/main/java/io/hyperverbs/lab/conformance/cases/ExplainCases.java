package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** {@code vendor_err} names the check that failed, and the completion says in words on what. */
@CaseGroup("qp")
public final class ExplainCases {
    private static final int BAD_KEY = 0x1357_9bdf;

    private ExplainCases() {}

    private static WorkCompletion write(Rig.Pair pair, long address, int rkey, Sge local, VerbsStatus status) {
        pair.requester().post(Operation.WRITE.request(1, address, rkey, List.of(local)));
        return pair.requester().sent(1, status);
    }

    private static void expect(WorkCompletion found, VendorError error, String... words) {
        Expect.equal(error, found.vendorError(), "vendor_err of " + found);
        for (String word : words) {
            Expect.isTrue(found.explain().contains(word), "\"" + found.explain() + "\" does not say \"" + word + "\"");
        }
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    @Case("REM_ACCESS_ERR names the key and its PD in words")
    static void explainsForeignRkey(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        WorkCompletion found =
                write(pair, pair.responder().at(0), BAD_KEY, pair.requester().sge(0, 8), VerbsStatus.REM_ACCESS_ERR);

        expect(found, VendorError.KEY_NOT_IN_PD, hex(BAD_KEY), "not a key of PD");
    }

    @Case("REM_ACCESS_ERR names key, address and length outside the region")
    static void explainsRemoteRange(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side responder = pair.responder();
        long beyond = responder.at(0) + responder.region().lengthBytes() - 4;
        WorkCompletion found =
                write(pair, beyond, responder.region().rkey(), pair.requester().sge(0, 8), VerbsStatus.REM_ACCESS_ERR);

        expect(found, VendorError.KEY_RANGE, hex(responder.region().rkey() & 0xffff_ffffL), hex(beyond), "8 bytes");
    }

    @Case("REM_ACCESS_ERR says that the region lacks the right")
    static void explainsRemoteRights(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(
                SideOptions.standard(),
                SideOptions.standard().withRegionAccess(EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ)));
        Side responder = pair.responder();
        WorkCompletion found = write(
                pair,
                responder.at(0),
                responder.region().rkey(),
                pair.requester().sge(0, 8),
                VerbsStatus.REM_ACCESS_ERR);

        expect(found, VendorError.KEY_RIGHTS, "lacks the right");
    }

    @Case("LOC_PROT_ERR names the key and its PD in words")
    static void explainsForeignLkey(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side responder = pair.responder();
        WorkCompletion found = write(
                pair,
                responder.at(0),
                responder.region().rkey(),
                new Sge(pair.requester().at(0), 8, BAD_KEY),
                VerbsStatus.LOC_PROT_ERR);

        expect(found, VendorError.KEY_NOT_IN_PD, hex(BAD_KEY), "not a key of PD");
    }

    @Case("LOC_PROT_ERR names key, address and length outside the region")
    static void explainsLocalRange(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        long beyond = requester.at(0) + requester.region().lengthBytes() - 4;
        WorkCompletion found = write(
                pair,
                pair.responder().at(0),
                pair.responder().region().rkey(),
                new Sge(beyond, 8, requester.region().lkey()),
                VerbsStatus.LOC_PROT_ERR);

        expect(found, VendorError.KEY_RANGE, hex(beyond), "8 bytes");
    }

    @Case("REM_INV_REQ_ERR says that the responder's QP does not allow it")
    static void explainsQueuePairRights(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard(), SideOptions.standard().withQpAccess(Set.of()));
        Side responder = pair.responder();
        WorkCompletion found = write(
                pair,
                responder.at(0),
                responder.region().rkey(),
                pair.requester().sge(0, 8),
                VerbsStatus.REM_INV_REQ_ERR);

        expect(found, VendorError.QP_RIGHTS, "not enabled on the responder QP");
    }

    @Case("REM_INV_REQ_ERR names the misaligned address")
    static void explainsMisalignedAtomic(Side requester, Side responder) throws VerbsException {
        requester.post(Operation.FETCH_AND_ADD.request(1, responder, 3, requester.sge(0, 8)));

        expect(requester.sent(1, VerbsStatus.REM_INV_REQ_ERR), VendorError.ATOMIC_MISALIGNED, hex(responder.at(3)));
    }

    @Case("both ends hear that the receive was too small")
    static void explainsReceiveTooSmall(Side requester, Side responder) throws VerbsException {
        responder.receive(5, responder.sge(0, 4));
        requester.post(Operation.SEND.request(1, requester.sge(0, 8)));

        expect(
                requester.sent(1, VerbsStatus.REM_INV_REQ_ERR),
                VendorError.RECEIVE_TOO_SMALL,
                "smaller than the message");
        expect(
                responder.received(5, VerbsStatus.LOC_LEN_ERR),
                VendorError.RECEIVE_TOO_SMALL,
                "smaller than the message");
    }

    @Case("the receive names its bad key, the sender hears what failed")
    static void explainsReceiveProtection(Side requester, Side responder) throws VerbsException {
        responder.receive(5, new Sge(responder.at(0), 8, BAD_KEY));
        requester.post(Operation.SEND.request(1, requester.sge(0, 8)));

        expect(requester.sent(1, VerbsStatus.REM_OP_ERR), VendorError.RECEIVE_PROTECTION, "protection check");
        expect(responder.received(5, VerbsStatus.LOC_PROT_ERR), VendorError.KEY_NOT_IN_PD, hex(BAD_KEY));
    }

    @Case("WR_FLUSH_ERR says that the queue pair is in ERR")
    static void explainsFlush(Side side) throws VerbsException {
        side.to(QpState.ERR);
        side.post(Operation.WRITE.request(1));

        expect(side.sent(1, VerbsStatus.WR_FLUSH_ERR), VendorError.FLUSHED, "is in ERR");
    }
}
