package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.List;

/** What becomes of everything else once a queue pair is in ERR. */
@CaseGroup("errors")
public final class FlushCases {
    private FlushCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.values()) {
            cases.add(
                    operation.label() + "-flushed",
                    "a request posted in ERR completes with WR_FLUSH_ERR (ibv_post_send)",
                    rig -> flushed(rig, operation));
        }
    }

    private static void flushed(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        requester.to(QpState.ERR);

        requester.post(operation.request(
                1, SendFlags.NONE, responder.at(0), responder.region().rkey(), List.of(requester.sge(0, 8))));

        WorkCompletion completion = requester.sent(1, VerbsStatus.WR_FLUSH_ERR);
        Expect.equal(VendorError.FLUSHED, completion.vendorError(), "vendor_err");
        responder.expectState(QpState.RTS);
    }

    private static SendWorkRequest write(Rig.Pair pair, long wrId, int flags, int lkey) {
        Side requester = pair.requester();
        return Operation.WRITE.request(
                wrId,
                flags,
                pair.responder().at(0),
                pair.responder().region().rkey(),
                List.of(new Sge(requester.at(0), 8, lkey)));
    }

    @Case("after an error all later requests flush, in order, signalled or not")
    static void flushInOrder(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        int lkey = requester.region().lkey();

        requester.post(
                write(pair, 0, SendFlags.SIGNALLED, lkey),
                write(pair, 1, SendFlags.NONE, lkey),
                write(pair, 2, SendFlags.NONE, 0),
                write(pair, 3, SendFlags.SIGNALLED, lkey),
                write(pair, 4, SendFlags.NONE, lkey),
                write(pair, 5, SendFlags.NONE, 0));

        requester.sent(0, VerbsStatus.SUCCESS);
        requester.sent(2, VerbsStatus.LOC_PROT_ERR);
        for (int i = 3; i <= 5; i++) {
            requester.sent(i, VerbsStatus.WR_FLUSH_ERR);
        }
        requester.ends();
    }

    @Case("of two bad requests the first names its error and the second flushes")
    static void twoBadInARow(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();

        requester.post(write(pair, 0, SendFlags.SIGNALLED, 0), write(pair, 1, SendFlags.SIGNALLED, 0));

        requester.sent(0, VerbsStatus.LOC_PROT_ERR);
        requester.sent(1, VerbsStatus.WR_FLUSH_ERR);
        requester.ends();
    }

    @Case("posted receives flush in order when the queue pair goes to ERR")
    static void receivesFlushInOrder(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        for (int i = 0; i < 15; i++) {
            requester.receive(i, requester.sge(0, 8));
        }
        requester.post(write(pair, 0, SendFlags.SIGNALLED, 0));
        requester.sent(0, VerbsStatus.LOC_PROT_ERR);

        for (int i = 0; i < 15; i++) {
            requester.received(i, VerbsStatus.WR_FLUSH_ERR);
        }
        requester.ends();
    }

    @Case("flushed requests free their slots: posting goes on for ever in ERR")
    static void slotsFreeAfterFlush(Side side) throws VerbsException {
        side.to(QpState.ERR);
        for (int i = 0; i < 100; i++) {
            side.post(Operation.WRITE.request(i, 0, 0, 0, List.of()));
            side.receive(i);
            side.sent(i, VerbsStatus.WR_FLUSH_ERR);
            side.received(i, VerbsStatus.WR_FLUSH_ERR);
        }
    }

    @Case("moved to ERR amid traffic, each request completes exactly once, in order")
    static void oneCompletionEachWhileGoingToErr(Rig rig) throws VerbsException {
        SideOptions large = SideOptions.standard().withBufferBytes(64 << 10);
        for (int round = 0; round < 3; round++) {
            Rig.Pair pair = rig.pair(large);
            Side requester = pair.requester();
            SendWorkRequest[] writes = new SendWorkRequest[16];
            for (int i = 0; i < writes.length; i++) {
                writes[i] = Operation.WRITE.request(i, pair.responder(), 0, requester.sge(0, 64 << 10));
            }

            requester.post(writes);
            requester.to(QpState.ERR);

            boolean flushing = false;
            for (int i = 0; i < writes.length; i++) {
                WorkCompletion completion = requester.sends().next();
                Expect.equal((long) i, completion.wrId(), "wr_id");
                VerbsStatus status = completion.status();
                Expect.isTrue(
                        status == VerbsStatus.WR_FLUSH_ERR || (status == VerbsStatus.SUCCESS && !flushing),
                        "request " + i + " completes " + completion);
                flushing = status == VerbsStatus.WR_FLUSH_ERR;
            }
            requester.ends();
        }
    }

    @Case("a request that waits for a receive flushes when its side goes to ERR")
    static void rnrWaitersFlush(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard().with(QpAttribute.MIN_RNR_TIMER, 31));
        Side requester = pair.requester();
        requester.post(Operation.SEND.request(0));
        requester.post(Operation.WRITE.request(1, 0, 0, 0, List.of()));
        Transfers.writes(pair.reversed(), 64);

        requester.to(QpState.ERR);

        requester.sent(0, VerbsStatus.WR_FLUSH_ERR);
        requester.sent(1, VerbsStatus.WR_FLUSH_ERR);
        requester.ends();
    }

    @Case("destroying a queue pair with requests under way stops them; no event")
    static void closedAmidTraffic(Rig rig) throws VerbsException {
        SideOptions large = SideOptions.standard().withBufferBytes(64 << 10);
        for (int round = 0; round < 3; round++) {
            Rig.Pair pair = rig.pair(large);
            Side requester = pair.requester();
            requester.receive(5, requester.sge(0, 8));
            for (int i = 0; i < 16; i++) {
                requester.post(Operation.WRITE.request(i, pair.responder(), 0, requester.sge(0, 64 << 10)));
            }

            requester.qp().close();
            requester.sendCq().close();
            requester.receiveCq().close();
            requester.region().close();

            pair.responder().expectState(QpState.RTS);
            pair.responder().ends();
            requester.noMoreEvents();
        }
    }
}
