package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Completions;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** What else hangs on a completion queue that is resized: arming, overruns, quotas, flushes. */
@CaseGroup("cq")
public final class CqResizeEffectCases {
    private CqResizeEffectCases() {}

    private static Rig.Pair withChannel(Rig rig) throws VerbsException {
        return rig.pair(
                SideOptions.standard().withCqEntries(CqResizeCases.ENTRIES).withChannel());
    }

    private static void event(Side side, CompletionQueue of) throws VerbsException {
        CompletionQueue found =
                side.channel().await(Side.PATIENCE).orElseThrow(() -> new AssertionError("no completion event came"));
        side.channel().acknowledge(found, 1);
        Expect.isTrue(found.equals(of), "the event is of " + found.describe());
    }

    @Case("a CQ armed before a resize gives its event after it")
    static void resizeKeepsArming(Rig rig) throws VerbsException {
        Rig.Pair pair = withChannel(rig);
        CompletionQueue cq = pair.requester().sendCq();
        Expect.equal(VerbsStatus.SUCCESS, cq.arm(false), "arming");

        cq.resize(64);
        pair.requester().post(CqResizeCases.nothing(1));

        event(pair.requester(), cq);
        pair.requester().sent(1, VerbsStatus.SUCCESS);
    }

    @Case("a resized CQ is armed as any other, again and again")
    static void armAfterResize(Rig rig) throws VerbsException {
        Rig.Pair pair = withChannel(rig);
        CompletionQueue cq = pair.requester().sendCq();
        for (int size : new int[] {64, 16, 128}) {
            cq.resize(size);
            for (int i = 0; i < 3; i++) {
                Expect.equal(VerbsStatus.SUCCESS, cq.arm(false), "arming");
                pair.requester().post(CqResizeCases.nothing(i));
                event(pair.requester(), cq);
                pair.requester().sent(i, VerbsStatus.SUCCESS);
            }
        }
    }

    /** Posts one request more than the CQ holds; CQ_ERR and QP_FATAL come. */
    private static void overruns(Side side, int capacity) throws VerbsException {
        for (int i = 0; i <= capacity; i++) {
            side.post(CqResizeCases.nothing(i));
        }
        boolean broken = false;
        for (int i = 0; i < 2; i++) {
            broken |= side.nextEvent().type() == AsyncEvent.Type.CQ_ERR;
        }
        Expect.isTrue(broken, "no CQ_ERR came");
    }

    @Case("a CQ that has overrun is not resized: EINVAL; what it holds stays: choice")
    static void resizeAfterOverrunRefused(Rig rig) throws VerbsException {
        Rig.Pair pair = CqResizeCases.pair(rig);
        Side requester = pair.requester();
        overruns(requester, CqResizeCases.ENTRIES);

        Expect.refused(VerbsStatus.EINVAL, "resize", () -> requester.sendCq().resize(64));

        CqResizeCases.sent(requester, 0, CqResizeCases.ENTRIES);
        requester.sends().pollsEmpty();
    }

    @Case("a CQ made smaller overruns at its new size: CQ_ERR, nothing overwritten")
    static void overrunOfResized(Rig rig) throws VerbsException {
        Rig.Pair pair = CqResizeCases.pair(rig);
        Side requester = pair.requester();
        requester.sendCq().resize(4);
        int capacity = requester.sendCq().capacity();
        Expect.isTrue(capacity < CqResizeCases.ENTRIES, "a CQ of 4 holds " + capacity);

        overruns(requester, capacity);

        CqResizeCases.sent(requester, 0, capacity);
        requester.sends().pollsEmpty();
        requester.expectState(QpState.ERR);
    }

    @Case("a CQ made larger takes as many completions as its new size")
    static void grownCqDoesNotOverrun(Rig rig) throws VerbsException {
        Rig.Pair pair = CqResizeCases.pair(rig);
        pair.requester().sendCq().resize(60);

        CqResizeCases.complete(pair, 0, 60);

        CqResizeCases.sent(pair.requester(), 0, 60);
        pair.requester().expectState(QpState.RTS);
    }

    @Case("a CQ of sends and receives is resized under both")
    static void resizeSharedByBothQueues(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard().withCqEntries(CqResizeCases.ENTRIES));
        CompletionQueue cq = side.sendCq();
        io.hyperverbs.verbs.RcQueuePair qp = rig.closing(side.pd().createRc(QpLimits.of(16, 16), cq, cq));
        qp.connect(qp.endpoint(3, side.region()), 3, SideOptions.standard().qpAccess());
        Completions both = new Completions(cq, "CQ of both queues");
        for (int size : new int[] {64, 16, 128}) {
            for (int i = 0; i < 4; i++) {
                Expect.equal(
                        VerbsStatus.SUCCESS,
                        qp.postReceive(new io.hyperverbs.verbs.ReceiveWorkRequest(100 + i, List.of())),
                        "post_recv");
                Expect.equal(VerbsStatus.SUCCESS, qp.postSend(Operation.SEND.request(i)), "post_send");
            }
            cq.resize(size);
            int sends = 0;
            int receives = 0;
            for (int i = 0; i < 8; i++) {
                long wrId = both.next().wrId();
                Expect.equal(wrId < 100 ? sends++ : 100L + receives++, wrId, "wr_id");
            }
        }
    }

    @Case("a CQ grown and shrunk many times needs no more quota than once")
    static void resizeGivesQuotaBack(Rig rig) throws VerbsException {
        CompletionQueue cq = rig.closing(rig.context().createCq(16, null));
        int large = Math.min(1 << 14, rig.context().queryDevice().maxCqe());
        for (int i = 0; i < 40; i++) {
            cq.resize(large);
            cq.resize(16);
        }
        Expect.equal(16, cq.capacity(), "capacity");
    }

    @Case("more entries than the quota: EAGAIN naming it, and nothing changes")
    static void resizeBeyondQuota(Rig rig) throws VerbsException {
        io.hyperverbs.verbs.Context context = rig.context();
        int largest = context.queryDevice().maxCqe();
        CompletionQueue last = rig.closing(context.createCq(16, null));
        VerbsException refusal = null;
        for (int i = 0; i < 1024 && refusal == null; i++) {
            try {
                CompletionQueue one = rig.closing(context.createCq(16, null));
                one.resize(largest);
                last = one;
            } catch (VerbsException e) {
                refusal = e;
            }
        }
        if (refusal == null) {
            throw new AssertionError("1024 CQs of " + largest + ", and no quota");
        }
        Expect.equal(VerbsStatus.EAGAIN, refusal.status(), "refusal (" + refusal + ")");
        Expect.isTrue(
                Expect.text(refusal).contains("quota cqe"), "\"" + refusal.getMessage() + "\" does not name quota cqe");
        last.resize(16);
        last.resize(largest);
    }

    @Case("requests of a queue pair in ERR are flushed into the resized CQ")
    static void flushedAfterResize(Rig rig) throws VerbsException {
        Rig.Pair pair = CqResizeCases.pair(rig);
        Side requester = pair.requester();
        requester.sendCq().resize(64);
        requester.to(QpState.ERR);

        for (int i = 0; i < 20; i++) {
            requester.post(CqResizeCases.nothing(i));
        }

        for (int i = 0; i < 20; i++) {
            requester.sent(i, VerbsStatus.WR_FLUSH_ERR);
        }
    }
}
