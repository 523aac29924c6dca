package io.hyperverbs.toolstack.conformance.cases;

import io.hyperverbs.toolstack.conformance.CaseList;
import io.hyperverbs.toolstack.conformance.ConformanceCase;
import io.hyperverbs.toolstack.conformance.rig.Completions;
import io.hyperverbs.toolstack.conformance.rig.Expect;
import io.hyperverbs.toolstack.conformance.rig.Operation;
import io.hyperverbs.toolstack.conformance.rig.Rig;
import io.hyperverbs.toolstack.conformance.rig.Side;
import io.hyperverbs.toolstack.conformance.rig.SideOptions;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;

import java.util.List;

/** Completion queues that grow and shrink. */
public final class CqResizeCases {
    private static final int ENTRIES = 16;

    private CqResizeCases() {}

    public static List<ConformanceCase> cases() {
        CaseList list = new CaseList("cq");
        for (int wanted : new int[] {1, 2, 15, 16, 17, 100, 4096}) {
            list.add(
                    "resize-empty-to-" + wanted,
                    "a resized CQ holds at least what was asked (ibv_resize_cq)",
                    rig -> resizeEmpty(rig, wanted));
        }
        for (int wanted : new int[] {8, 16, 64, 1000}) {
            list.add(
                    "resize-with-8-entries-to-" + wanted,
                    "completions not yet polled are there after a resize, in order (ibv_resize_cq)",
                    rig -> resizeWithEntries(rig, wanted));
        }
        for (int bad : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            list.add(
                    "resize-refuses-" + bad,
                    "no size, or one above max_cqe: EINVAL, and nothing changes (ibv_resize_cq)",
                    rig -> resizeRefuses(rig, bad, 0));
        }
        return list.add(
                        "resize-refuses-less-than-unpolled",
                        "a size below the completions not yet polled: EINVAL, nothing changes",
                        rig -> resizeRefuses(rig, 4, 8))
                .add(
                        "resize-to-exactly-what-is-unpolled",
                        "as many entries as completions not yet polled are enough",
                        CqResizeCases::resizeToExactly)
                .add(
                        "resize-when-full",
                        "a full CQ can be made larger, and takes more then",
                        CqResizeCases::resizeWhenFull)
                .add(
                        "resize-after-wrap",
                        "completions that lie across the end of the ring stay in order",
                        CqResizeCases::resizeAfterWrap)
                .add(
                        "resize-under-traffic",
                        "growing and shrinking while requests complete loses and repeats none",
                        CqResizeCases::resizeUnderTraffic)
                .add(
                        "resize-receive-cq-under-traffic",
                        "a CQ of receives is resized while messages arrive: none lost or repeated",
                        CqResizeCases::resizeReceives)
                .add(
                        "resize-keeps-arming",
                        "a CQ armed before a resize gives its event after it",
                        CqResizeCases::resizeKeepsArming)
                .add(
                        "arm-after-resize",
                        "a resized CQ is armed as any other, again and again",
                        CqResizeCases::armAfterResize)
                .add(
                        "resize-after-overrun-refused",
                        "a CQ that has overrun is not resized: EINVAL; what it holds stays: choice",
                        CqResizeCases::resizeAfterOverrun)
                .add(
                        "overrun-of-resized",
                        "a CQ made smaller overruns at its new size: CQ_ERR, nothing overwritten",
                        CqResizeCases::overrunOfResized)
                .add(
                        "grown-cq-does-not-overrun",
                        "a CQ made larger takes as many completions as its new size",
                        CqResizeCases::grownTakesMore)
                .add(
                        "resize-shared-by-both-queues",
                        "a CQ of sends and receives is resized under both",
                        CqResizeCases::resizeShared)
                .add(
                        "resize-gives-quota-back",
                        "a CQ grown and shrunk many times needs no more quota than once",
                        CqResizeCases::resizeGivesBack)
                .add(
                        "resize-beyond-quota",
                        "more entries than the quota: EAGAIN naming it, and nothing changes",
                        CqResizeCases::beyondQuota)
                .add(
                        "flushed-after-resize",
                        "requests of a queue pair in ERR are flushed into the resized CQ",
                        CqResizeCases::flushedAfterResize)
                .cases();
    }

    private static SendWorkRequest nothing(long wrId) {
        return Operation.WRITE.request(wrId, 0, 0, List.of());
    }

    private static Rig.Pair pair(Rig rig) throws VerbsException {
        SideOptions standard = SideOptions.standard();
        return rig.pair(standard.withCqEntries(ENTRIES).withLimits(QpLimits.of(64, 16)), standard);
    }

    /** So many completions lie in the requester's send CQ, numbered from {@code first}. */
    private static void complete(Rig.Pair pair, long first, int count) {
        for (int i = 0; i < count; i++) {
            pair.requester().post(nothing(first + i));
        }
        pair.responder().receive(5);
        pair.requester().post(Operation.SEND.request(99, SendFlags.NONE, 0, 0, List.of()));
        pair.responder().received(5, VerbsStatus.SUCCESS);
    }

    private static void sent(Side side, long first, int count) {
        for (int i = 0; i < count; i++) {
            side.sent(first + i, VerbsStatus.SUCCESS);
        }
    }

    private static void resizeEmpty(Rig rig, int wanted) throws VerbsException {
        Rig.Pair pair = pair(rig);
        CompletionQueue cq = pair.requester().sendCq();

        cq.resize(wanted);

        Expect.isTrue(cq.capacity() >= wanted, "capacity " + cq.capacity() + ", asked " + wanted);
        for (int round = 0; round < 3; round++) {
            int count = Math.min(cq.capacity(), 40);
            complete(pair, 100, count);
            sent(pair.requester(), 100, count);
        }
        pair.requester().expectState(QpState.RTS);
    }

    private static void resizeWithEntries(Rig rig, int wanted) throws VerbsException {
        Rig.Pair pair = pair(rig);
        complete(pair, 1, 8);

        pair.requester().sendCq().resize(wanted);

        sent(pair.requester(), 1, 8);
        pair.requester().noMoreSends();
    }

    private static void resizeRefuses(Rig rig, int size, int unpolled) throws VerbsException {
        Rig.Pair pair = pair(rig);
        CompletionQueue cq = pair.requester().sendCq();
        complete(pair, 1, unpolled);

        Expect.refused(VerbsStatus.EINVAL, "resize to " + size, () -> cq.resize(size));

        Expect.equal(ENTRIES, cq.capacity(), "capacity");
        complete(pair, 1 + unpolled, ENTRIES - unpolled);
        sent(pair.requester(), 1, ENTRIES);
        pair.requester().noMoreSends();
    }

    private static void resizeToExactly(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        complete(pair, 1, 12);
        sent(pair.requester(), 1, 4);

        pair.requester().sendCq().resize(8);

        Expect.equal(8, pair.requester().sendCq().capacity(), "capacity");
        sent(pair.requester(), 5, 8);
        complete(pair, 20, 8);
        sent(pair.requester(), 20, 8);
        pair.requester().expectState(QpState.RTS);
    }

    private static void resizeWhenFull(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        complete(pair, 0, ENTRIES);

        pair.requester().sendCq().resize(2 * ENTRIES);

        complete(pair, ENTRIES, ENTRIES);
        sent(pair.requester(), 0, 2 * ENTRIES);
        pair.requester().noMoreSends();
    }

    private static void resizeAfterWrap(Rig rig) throws VerbsException {
        for (int wanted : new int[] {8, 32}) {
            Rig.Pair pair = pair(rig);
            complete(pair, 0, 12);
            sent(pair.requester(), 0, 12);
            complete(pair, 12, 8);

            pair.requester().sendCq().resize(wanted);

            sent(pair.requester(), 12, 8);
            complete(pair, 20, 8);
            sent(pair.requester(), 20, 8);
        }
    }

    private static void resizeUnderTraffic(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side requester = pair.requester();
        int[] sizes = {64, 32, 128, 32, 1024, 16, 33};
        long posted = 0;
        long polled = 0;
        for (int round = 0; round < 70; round++) {
            while (posted - polled < 12) {
                requester.post(nothing(posted++));
            }
            requester.sendCq().resize(sizes[round % sizes.length]);
            for (int i = 0; i < 9; i++) {
                requester.sent(polled++, VerbsStatus.SUCCESS);
            }
        }
        while (polled < posted) {
            requester.sent(polled++, VerbsStatus.SUCCESS);
        }
        requester.noMoreSends();
    }

    private static void resizeReceives(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard().withCqEntries(ENTRIES));
        Side responder = pair.responder();
        int[] sizes = {64, 16, 256, 32};
        long received = 0;
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < 8; i++) {
                responder.receive(8L * round + i);
                pair.requester().post(Operation.SEND.request(7, SendFlags.NONE, 0, 0, List.of()));
            }
            responder.receiveCq().resize(sizes[round % sizes.length]);
            for (int i = 0; i < 8; i++) {
                responder.received(received++, VerbsStatus.SUCCESS);
            }
            // Frees what was sent without a completion.
            pair.requester().noMoreSends();
        }
        responder.receives().pollsEmpty();
    }

    private static Rig.Pair withChannel(Rig rig) throws VerbsException {
        return rig.pair(SideOptions.standard().withCqEntries(ENTRIES).withChannel());
    }

    private static void event(Side side, CompletionQueue of) throws VerbsException {
        CompletionQueue found =
                side.channel()
                        .await(Side.PATIENCE)
                        .orElseThrow(() -> new AssertionError("no completion event came"));
        side.channel().acknowledge(found, 1);
        Expect.isTrue(found.equals(of), "the event is of " + found.describe());
    }

    private static void resizeKeepsArming(Rig rig) throws VerbsException {
        Rig.Pair pair = withChannel(rig);
        CompletionQueue cq = pair.requester().sendCq();
        Expect.equal(VerbsStatus.SUCCESS, cq.arm(false), "arming");

        cq.resize(64);
        pair.requester().post(nothing(1));

        event(pair.requester(), cq);
        pair.requester().sent(1, VerbsStatus.SUCCESS);
    }

    private static void armAfterResize(Rig rig) throws VerbsException {
        Rig.Pair pair = withChannel(rig);
        CompletionQueue cq = pair.requester().sendCq();
        for (int size : new int[] {64, 16, 128}) {
            cq.resize(size);
            for (int i = 0; i < 3; i++) {
                Expect.equal(VerbsStatus.SUCCESS, cq.arm(false), "arming");
                pair.requester().post(nothing(i));
                event(pair.requester(), cq);
                pair.requester().sent(i, VerbsStatus.SUCCESS);
            }
        }
    }

    /** Posts one request more than the CQ holds; CQ_ERR and QP_FATAL come. */
    private static void overruns(Side side, int capacity) throws VerbsException {
        for (int i = 0; i <= capacity; i++) {
            side.post(nothing(i));
        }
        boolean broken = false;
        for (int i = 0; i < 2; i++) {
            broken |= side.nextEvent().type() == AsyncEvent.Type.CQ_ERR;
        }
        Expect.isTrue(broken, "no CQ_ERR came");
    }

    private static void resizeAfterOverrun(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side requester = pair.requester();
        overruns(requester, ENTRIES);

        Expect.refused(VerbsStatus.EINVAL, "resize", () -> requester.sendCq().resize(64));

        sent(requester, 0, ENTRIES);
        requester.sends().pollsEmpty();
    }

    private static void overrunOfResized(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side requester = pair.requester();
        requester.sendCq().resize(4);
        int capacity = requester.sendCq().capacity();
        Expect.isTrue(capacity < ENTRIES, "a CQ of 4 holds " + capacity);

        overruns(requester, capacity);

        sent(requester, 0, capacity);
        requester.sends().pollsEmpty();
        requester.expectState(QpState.ERR);
    }

    private static void grownTakesMore(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        pair.requester().sendCq().resize(60);

        complete(pair, 0, 60);

        sent(pair.requester(), 0, 60);
        pair.requester().expectState(QpState.RTS);
    }

    private static void resizeShared(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard().withCqEntries(ENTRIES));
        CompletionQueue cq = side.sendCq();
        io.hyperverbs.verbs.RcQueuePair qp =
                rig.closing(side.pd().createRc(QpLimits.of(16, 16), cq, cq));
        qp.connect(qp.endpoint(3, side.region()), 3, SideOptions.standard().qpAccess());
        Completions both = new Completions(cq, "CQ of both queues");
        for (int size : new int[] {64, 16, 128}) {
            for (int i = 0; i < 4; i++) {
                Expect.equal(
                        VerbsStatus.SUCCESS,
                        qp.postReceive(
                                new io.hyperverbs.verbs.ReceiveWorkRequest(100 + i, List.of())),
                        "post_recv");
                Expect.equal(
                        VerbsStatus.SUCCESS,
                        qp.postSend(Operation.SEND.request(i, 0, 0, List.of())),
                        "post_send");
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

    private static void resizeGivesBack(Rig rig) throws VerbsException {
        CompletionQueue cq = rig.closing(rig.context().createCq(16, null));
        int large = Math.min(1 << 14, rig.context().queryDevice().maxCqe());
        for (int i = 0; i < 40; i++) {
            cq.resize(large);
            cq.resize(16);
        }
        Expect.equal(16, cq.capacity(), "capacity");
    }

    private static void beyondQuota(Rig rig) throws VerbsException {
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
                Expect.text(refusal).contains("quota cqe"),
                "\"" + refusal.getMessage() + "\" does not name quota cqe");
        last.resize(16);
        last.resize(largest);
    }

    private static void flushedAfterResize(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side requester = pair.requester();
        requester.sendCq().resize(64);
        requester.to(QpState.ERR);

        for (int i = 0; i < 20; i++) {
            requester.post(nothing(i));
        }

        for (int i = 0; i < 20; i++) {
            requester.sent(i, VerbsStatus.WR_FLUSH_ERR);
        }
    }
}
