package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
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
@CaseGroup("srq")
public final class SrqEventCases {
    private SrqEventCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (int limit = 1; limit <= SharedQueueRig.CAPACITY; limit++) {
            int armed = limit;
            cases.add(
                    "limit-of-" + limit,
                    "the event comes when fewer than the limit are left, not before (IBV_SRQ_LIMIT)",
                    rig -> limit(rig, armed));
        }
        for (int bad : new int[] {-1, 9, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            cases.add(
                    "limit-refuses-" + bad,
                    "a limit below 0 or beyond the queue: EINVAL, nothing changes",
                    rig -> refuses(rig, bad));
        }
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

    @Case("the limit event comes once for each time it is armed")
    static void limitIsOneShot(Rig rig) throws VerbsException {
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

    @Case("a limit armed again is told again")
    static void limitArmedAgain(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        for (int round = 0; round < 3; round++) {
            shared.fill(round, 1);
            shared.srq.armLimit(1);
            link.carries(round, 64);
            shared.event(AsyncEvent.Type.SRQ_LIMIT_REACHED, shared.srq.srqn());
        }
    }

    @Case("a limit of 0 takes the request for an event back")
    static void limitDisarmed(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(0, 2);
        shared.srq.armLimit(2);

        shared.srq.armLimit(0);

        link.carries(0, 64);
        link.carries(1, 64);
        shared.noMoreEvents();
    }

    @Case("a limit above what is posted is told at once: choice")
    static void limitAtOnce(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        shared.fill(0, 2);

        shared.srq.armLimit(3);

        shared.event(AsyncEvent.Type.SRQ_LIMIT_REACHED, shared.srq.srqn());
        shared.noMoreEvents();
    }

    @Case("query tells the limit while it is armed, and 0 after its event")
    static void limitByQuery(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(0, 2);
        shared.srq.armLimit(2);
        Expect.equal(2, shared.srq.query().limit(), "limit armed");

        link.carries(0, 64);

        Expect.equal(0, shared.srq.query().limit(), "limit told");
    }

    @Case("a resize keeps the limit")
    static void limitSurvivesResize(Rig rig) throws VerbsException {
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

    @Case("a size below the limit: EINVAL")
    static void resizeBelowLimitRefused(Rig rig) throws VerbsException {
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

    @Case("QP_LAST_WQE_REACHED when a queue pair on a shared queue is moved to ERR")
    static void lastWqeAfterModify(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(0, 1);

        link.qp.modify(QpAttributes.to(QpState.ERR));

        shared.event(AsyncEvent.Type.QP_LAST_WQE_REACHED, link.qp.qpn());
        link.receives.pollsEmpty();
    }

    @Case("QP_LAST_WQE_REACHED when an error moves it to ERR, after its completion")
    static void lastWqeAfterError(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.post(1, shared.sge(0, 8));

        link.sender.post(Operation.SEND.request(1, link.sender.sge(0, 64)));

        shared.event(AsyncEvent.Type.QP_LAST_WQE_REACHED, link.qp.qpn());
        link.received(1, VerbsStatus.LOC_LEN_ERR);
        shared.noMoreEvents();
    }

    @Case("QP_LAST_WQE_REACHED comes once, though ERR is asked for twice")
    static void lastWqeOnce(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        link.qp.modify(QpAttributes.to(QpState.ERR));
        link.qp.modify(QpAttributes.to(QpState.ERR));

        shared.event(AsyncEvent.Type.QP_LAST_WQE_REACHED, link.qp.qpn());
        shared.noMoreEvents();
    }

    @Case("QP_ACCESS_ERR, then QP_LAST_WQE_REACHED")
    static void lastWqeAfterAccessError(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();

        link.sender.post(Operation.WRITE.request(1, link.exposed.address(), 0, List.of(link.sender.sge(0, 8))));

        link.sender.sent(1, VerbsStatus.REM_ACCESS_ERR);
        shared.event(AsyncEvent.Type.QP_ACCESS_ERR, link.qp.qpn());
        shared.event(AsyncEvent.Type.QP_LAST_WQE_REACHED, link.qp.qpn());
    }
}
