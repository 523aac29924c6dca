package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Completions;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Completion queues: sizes, order, wrapping, overrun. */
@CaseGroup("cq")
public final class CqCases {
    private CqCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (int entries : new int[] {1, 2, 3, 64, 100, 1000}) {
            cases.add(
                    "of-" + entries, "a CQ holds at least what was asked (ibv_create_cq)", rig -> holds(rig, entries));
        }
        for (int entries : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            cases.add(
                    "of-" + entries + "-refused",
                    "no size, or one above max_cqe: EINVAL before any allocation (ibv_create_cq)",
                    rig -> refuses(rig, entries));
        }
        cases.add(
                "of-more-than-max-cqe",
                "one entry more than max_cqe: EINVAL (ibv_create_cq)",
                rig -> refuses(rig, rig.context().queryDevice().maxCqe() + 1));
    }

    private static SendWorkRequest nothing(long wrId) {
        return Operation.WRITE.request(wrId);
    }

    private static void holds(Rig rig, int entries) throws VerbsException {
        CompletionQueue cq = rig.closing(rig.context().createCq(entries, null));

        Expect.isTrue(cq.capacity() >= entries, "capacity " + cq.capacity() + ", asked " + entries);
    }

    private static void refuses(Rig rig, int entries) throws VerbsException {
        Context context = rig.context();

        Expect.refused(VerbsStatus.EINVAL, "a CQ of " + entries, () -> context.createCq(entries, null));
    }

    @Case("polling an empty CQ finds 0 (ibv_poll_cq)")
    static void pollEmpty(Rig rig) throws VerbsException {
        CompletionQueue cq = rig.closing(rig.context().createCq(4, null));

        Expect.equal(0, cq.poll(new WorkCompletion[] {new WorkCompletion()}), "found");
        Expect.equal(0, cq.poll(new WorkCompletion[0]), "found without room");
    }

    @Case("a poll takes at most what it is given room for, in order (ibv_poll_cq)")
    static void pollInBatches(Side requester, Side responder) throws VerbsException {
        responder.receive(5);
        for (int i = 0; i < 10; i++) {
            requester.post(nothing(i));
        }
        requester.post(Operation.SEND.request(10, SendFlags.NONE, 0, 0, List.of()));
        // The send came last, so all before it have completed.
        responder.received(5, VerbsStatus.SUCCESS);

        WorkCompletion[] three = {new WorkCompletion(), new WorkCompletion(), new WorkCompletion()};
        long next = 0;
        long startNanos = System.nanoTime();
        while (next < 10) {
            // On a forwarded path they may come one by one; never more than 3, never out of order.
            int found = requester.sendCq().poll(three);
            Expect.isTrue(found <= 3, "a poll with room for 3 finds " + found);
            for (int i = 0; i < found; i++) {
                Expect.equal(next++, three[i].wrId(), "wr_id");
            }
            Expect.isTrue(
                    System.nanoTime() - startNanos < Side.PATIENCE.toNanos(),
                    "only " + next + " of 10 completions came");
        }
        requester.noMoreSends();
    }

    @Case("a small CQ takes any number of completions, polled in time")
    static void wraps(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard().withCqEntries(4));
        for (long i = 0; i < 500; i++) {
            pair.requester().post(nothing(2 * i));
            pair.requester().post(nothing(2 * i + 1));
            pair.requester().sent(2 * i, VerbsStatus.SUCCESS);
            pair.requester().sent(2 * i + 1, VerbsStatus.SUCCESS);
        }
    }

    /** A pair whose CQs hold 4, or a few more, with room for more requests than that. */
    private static Rig.Pair narrow(Rig rig) throws VerbsException {
        SideOptions standard = SideOptions.standard();
        return rig.pair(standard.withCqEntries(4).withLimits(QpLimits.of(64, 8)), standard);
    }

    @Case("a CQ filled to its last entry is not overrun")
    static void fullExactly(Rig rig) throws VerbsException {
        Rig.Pair pair = narrow(rig);
        Side requester = pair.requester();
        int capacity = requester.sendCq().capacity();
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < capacity; i++) {
                requester.post(nothing(i));
            }
            awaitWork(pair);
            for (int i = 0; i < capacity; i++) {
                requester.sent(i, VerbsStatus.SUCCESS);
            }
        }
        requester.expectState(QpState.RTS);
    }

    /** Returns when everything the requester posted so far was executed; adds no completion. */
    private static void awaitWork(Rig.Pair pair) {
        pair.responder().receive(5);
        pair.requester().post(Operation.SEND.request(99, SendFlags.NONE, 0, 0, List.of()));
        pair.responder().received(5, VerbsStatus.SUCCESS);
    }

    @Case("one completion too many: CQ_ERR and QP_FATAL, QP in ERR, no entry overwritten (IBA 10.2.3.3)")
    static void overrun(Rig rig) throws VerbsException {
        Rig.Pair pair = narrow(rig);
        Side requester = pair.requester();
        int capacity = requester.sendCq().capacity();
        Expect.isTrue(capacity < 64, "a CQ of 4 holds " + capacity);

        for (int i = 0; i <= capacity; i++) {
            requester.post(nothing(i));
        }

        Set<AsyncEvent.Type> types = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            AsyncEvent event = requester.nextEvent();
            types.add(event.type());
            if (event.type() == AsyncEvent.Type.QP_FATAL) {
                Expect.equal(requester.qp().qpn(), event.number(), "QPN of QP_FATAL");
            }
        }
        Expect.equal(Set.of(AsyncEvent.Type.CQ_ERR, AsyncEvent.Type.QP_FATAL), types, "events");
        requester.expectState(QpState.ERR);
        for (int i = 0; i < capacity; i++) {
            requester.sent(i, VerbsStatus.SUCCESS);
        }
        requester.sends().pollsEmpty();
        requester.noMoreEvents();
    }

    @Case("a queue pair on other CQs works on beside an overrun")
    static void overrunConcernsItsUsersOnly(Rig rig) throws VerbsException {
        Rig.Pair pair = narrow(rig);
        Side requester = pair.requester();
        Side other = rig.side(requester.context(), SideOptions.standard());
        Rig.Pair bystanders = rig.connect(other, rig.side(SideOptions.standard()));
        for (int i = 0; i <= requester.sendCq().capacity(); i++) {
            requester.post(nothing(i));
        }
        requester.nextEvent();

        Transfers.sends(bystanders, 64);
        other.expectState(QpState.RTS);
    }

    @Case("a CQ of several queue pairs says whose each completion is (ibv_poll_cq)")
    static void sharedByQueuePairs(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard());
        RcQueuePair second =
                rig.closing(side.pd().createRc(SideOptions.standard().limits(), side.sendCq(), side.receiveCq()));
        side.connect(side.endpoint());
        Endpoint self = second.endpoint(7, side.region());
        second.connect(self, 7, SideOptions.standard().qpAccess());
        for (int i = 0; i < 20; i++) {
            side.post(nothing(i));
            Expect.equal(VerbsStatus.SUCCESS, second.postSend(nothing(1000 + i)), "post");
            int first = 0;
            for (WorkCompletion completion : side.sends().next(2)) {
                boolean own = completion.qpn() == side.qp().qpn();
                first += own ? 1 : 0;
                Expect.equal(own ? i : 1000L + i, completion.wrId(), "wr_id by QPN");
                Expect.equal(VerbsStatus.SUCCESS, completion.status(), "status");
            }
            Expect.equal(1, first, "completions of the first queue pair");
        }
    }

    @Case("a CQ with a QP: EBUSY naming it (ibv_destroy_cq)")
    static void closeNamesQueuePair(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard());
        Expect.inUse(side.sendCq(), side.qp());
        Expect.inUse(side.receiveCq(), side.qp());
        side.connect(side.endpoint());
        side.noMoreSends();
        side.qp().close();
        side.sendCq().close();
        side.receiveCq().close();
    }

    @Case("a CQ with unpolled completions can be destroyed (ibv_destroy_cq)")
    static void closeWithCompletions(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        pair.requester().post(nothing(1), nothing(2));
        awaitWork(pair);

        pair.requester().qp().close();
        pair.requester().sendCq().close();
    }

    @Case("completions written before a QP was destroyed may still be polled: choice")
    static void completionsOutliveTheirQueuePair(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        pair.requester().post(nothing(1), nothing(2));
        awaitWork(pair);

        pair.requester().qp().close();

        Completions rest = pair.requester().sends();
        Expect.equal(1L, rest.next().wrId(), "wr_id");
        Expect.equal(2L, rest.next().wrId(), "wr_id");
    }

    @Case("arming a CQ that has no channel: EINVAL")
    static void armWithoutChannel(Rig rig) throws VerbsException {
        CompletionQueue cq = rig.closing(rig.context().createCq(4, null));

        Expect.equal(VerbsStatus.EINVAL, cq.arm(false), "arming");
        Expect.equal(VerbsStatus.EINVAL, cq.arm(true), "arming for solicited");
    }
}
