package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** Events of shared receive queues and of queue pairs on them. */
public final class SrqEventCases {
    private SrqEventCases() {}

    public static List<ConformanceCase> cases() {
        CaseList list = new CaseList("srq");
        for (int limit = 1; limit <= SharedQueueRig.CAPACITY; limit++) {
            int armed = limit;
            list.add(
                    "limit-of-" + limit,
                    "the event comes when fewer than the limit are left, not before" + " (IBV_SRQ_LIMIT)",
                    rig -> limit(rig, armed));
        }
        for (int bad : new int[] {-1, 9, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            list.add(
                    "limit-refuses-" + bad,
                    "a limit below 0 or beyond the queue: EINVAL, nothing changes",
                    rig -> refuses(rig, bad));
        }
        return list.add(
                        "limit-is-one-shot",
                        "the limit event comes once for each time it is armed",
                        SrqEventCases::oneShot)
                .add("limit-armed-again", "a limit armed again is told again", SrqEventCases::armedAgain)
                .add("limit-disarmed", "a limit of 0 takes the request for an event back", SrqEventCases::disarmed)
                .add("limit-at-once", "a limit above what is posted is told at once: choice", SrqEventCases::atOnce)
                .add(
                        "limit-by-query",
                        "query tells the limit while it is armed, and 0 after its event",
                        SrqEventCases::byQuery)
                .add("limit-survives-resize", "a resize keeps the limit", SrqEventCases::survivesResize)
                .add("resize-below-limit-refused", "a size below the limit: EINVAL", SrqEventCases::resizeBelowLimit)
                .add(
                        "last-wqe-after-modify",
                        "QP_LAST_WQE_REACHED when a queue pair on a shared queue is moved to ERR",
                        SrqEventCases::lastAfterModify)
                .add(
                        "last-wqe-after-error",
                        "QP_LAST_WQE_REACHED when an error moves it to ERR, after its completion",
                        SrqEventCases::lastAfterError)
                .add(
                        "last-wqe-once",
                        "QP_LAST_WQE_REACHED comes once, though ERR is asked for twice",
                        SrqEventCases::lastOnce)
                .add(
                        "last-wqe-after-access-error",
                        "QP_ACCESS_ERR, then QP_LAST_WQE_REACHED",
                        SrqEventCases::lastAfterAccessError)
                .cases();
    }

    private static void limit(Rig rig, int limit) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(0, SharedQueueRig.CAPACITY);
        shared.srq.armLimit(limit);

        int left = SharedQueueRig.CAPACITY;
        for (int i = 0; left > limit; i++, left--) {
            link.carries(i, 64);
        }
        shared.noMoreEvents();
        link.carries(SharedQueueRig.CAPACITY - limit, 64);

        shared.event(AsyncEvent.Type.SRQ_LIMIT_REACHED, shared.srq.srqn());
    }

    private static void refuses(Rig rig, int limit) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);

        Expect.refused(VerbsStatus.EINVAL, "limit", () -> shared.srq.armLimit(limit));

        Expect.equal(0, shared.srq.query().limit(), "limit");
        shared.noMoreEvents();
    }

    private static void oneShot(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(0, 4);
        shared.srq.armLimit(4);
        for (int i = 0; i < 4; i++) {
            link.carries(i, 64);
        }

        shared.event(AsyncEvent.Type.SRQ_LIMIT_REACHED, shared.srq.srqn());
        shared.noMoreEvents();
    }

    private static void armedAgain(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        for (int round = 0; round < 3; round++) {
            shared.fill(round, 1);
            shared.srq.armLimit(1);
            link.carries(round, 64);
            shared.event(AsyncEvent.Type.SRQ_LIMIT_REACHED, shared.srq.srqn());
        }
    }

    private static void disarmed(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(0, 2);
        shared.srq.armLimit(2);

        shared.srq.armLimit(0);

        link.carries(0, 64);
        link.carries(1, 64);
        shared.noMoreEvents();
    }

    private static void atOnce(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        shared.fill(0, 2);

        shared.srq.armLimit(3);

        shared.event(AsyncEvent.Type.SRQ_LIMIT_REACHED, shared.srq.srqn());
        shared.noMoreEvents();
    }

    private static void byQuery(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(0, 2);
        shared.srq.armLimit(2);
        Expect.equal(2, shared.srq.query().limit(), "limit armed");

        link.carries(0, 64);

        Expect.equal(0, shared.srq.query().limit(), "limit told");
    }

    private static void survivesResize(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(0, 3);
        shared.srq.armLimit(3);

        shared.srq.resize(64);

        Expect.equal(3, shared.srq.query().limit(), "limit");
        shared.noMoreEvents();
        link.carries(0, 64);
        shared.event(AsyncEvent.Type.SRQ_LIMIT_REACHED, shared.srq.srqn());
    }

    private static void resizeBelowLimit(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        shared.fill(0, 3);
        shared.srq.resize(16);
        shared.fill(3, 6);
        shared.srq.armLimit(9);
        SharedQueueRig.Link link = shared.link();
        link.carries(0, 64);
        shared.event(AsyncEvent.Type.SRQ_LIMIT_REACHED, shared.srq.srqn());
        link.carries(1, 64);
        shared.fill(9, 2);
        shared.srq.armLimit(9);
        link.carries(2, 64);
        shared.event(AsyncEvent.Type.SRQ_LIMIT_REACHED, shared.srq.srqn());
        shared.srq.resize(8);

        shared.srq.armLimit(8);
        Expect.refused(VerbsStatus.EINVAL, "resize to 4", () -> shared.srq.resize(4));
        Expect.equal(8, shared.srq.query().limit(), "limit");
    }

    private static void lastAfterModify(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(0, 1);

        link.qp.modify(QpAttributes.to(QpState.ERR));

        shared.event(AsyncEvent.Type.QP_LAST_WQE_REACHED, link.qp.qpn());
        link.receives.pollsEmpty();
    }

    private static void lastAfterError(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.post(1, shared.sge(0, 8));

        link.sender.post(Operation.SEND.request(1, 0, 0, List.of(link.sender.sge(0, 64))));

        shared.event(AsyncEvent.Type.QP_LAST_WQE_REACHED, link.qp.qpn());
        link.received(1, VerbsStatus.LOC_LEN_ERR);
        shared.noMoreEvents();
    }

    private static void lastOnce(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        link.qp.modify(QpAttributes.to(QpState.ERR));
        link.qp.modify(QpAttributes.to(QpState.ERR));

        shared.event(AsyncEvent.Type.QP_LAST_WQE_REACHED, link.qp.qpn());
        shared.noMoreEvents();
    }

    private static void lastAfterAccessError(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();

        link.sender.post(Operation.WRITE.request(1, link.exposed.address(), 0, List.of(link.sender.sge(0, 8))));

        link.sender.sent(1, VerbsStatus.REM_ACCESS_ERR);
        shared.event(AsyncEvent.Type.QP_ACCESS_ERR, link.qp.qpn());
        shared.event(AsyncEvent.Type.QP_LAST_WQE_REACHED, link.qp.qpn());
    }
}
