package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqAttributes;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** Making, filling, resizing and destroying shared receive queues. */
@CaseGroup("srq")
public final class SrqCases {
    private SrqCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (int[] bad : new int[][] {{0, 1}, {-1, 1}, {65537, 1}, {1, 0}, {1, -1}, {1, 31}}) {
            cases.add(
                    "create-refuses-" + bad[0] + "-receives-of-" + bad[1],
                    "a size of zero, below or beyond the device: EINVAL (ibv_create_srq)",
                    rig -> refusesSize(rig, new SrqLimits(bad[0], bad[1])));
        }
        for (int asked : new int[] {1, 2, 3, 16, 100}) {
            cases.add(
                    "create-holds-" + asked,
                    "a queue holds at least the receives asked for, and says how many",
                    rig -> holds(rig, asked));
        }
        for (int wanted : new int[] {4, 5, 8, 16, 64, 1000}) {
            cases.add(
                    "resize-to-" + wanted + "-keeps-order",
                    "receives posted before a resize are taken after it, in order (IBV_SRQ_MAX_WR)",
                    rig -> resizeKeepsOrder(rig, wanted));
        }
        for (int bad : new int[] {0, -1, 65537}) {
            cases.add(
                    "resize-refuses-" + bad,
                    "a size of zero, below or beyond the device: EINVAL, nothing changes",
                    rig -> resizeRefuses(rig, bad, 0));
        }
        cases.add(
                "resize-refuses-less-than-posted",
                "a size below the requests outstanding: EINVAL, nothing changes",
                rig -> resizeRefuses(rig, 4, 5));
    }

    private static void refusesSize(Rig rig, SrqLimits limits) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());

        Expect.refused(VerbsStatus.EINVAL, limits.toString(), () -> pd.createSrq(limits));
    }

    private static void holds(Rig rig, int asked) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        SharedReceiveQueue srq = rig.closing(pd.createSrq(new SrqLimits(asked, 1)));
        int capacity = srq.limits().receiveWr();
        Expect.isTrue(capacity >= asked, capacity + " receives, " + asked + " were asked for");

        for (int i = 0; i < capacity; i++) {
            Expect.equal(VerbsStatus.SUCCESS, one(srq, i), "receive " + i);
        }
        Expect.equal(VerbsStatus.ENOMEM, one(srq, capacity), "one receive more");
    }

    private static VerbsStatus one(SharedReceiveQueue srq, long wrId) {
        return srq.postReceive(new ReceiveWorkRequest(wrId, List.of()));
    }

    private static void resizeKeepsOrder(Rig rig, int wanted) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(100, 6);
        link.carries(100, 64);
        link.carries(101, 64);

        shared.srq.resize(wanted);

        int capacity = shared.srq.limits().receiveWr();
        Expect.isTrue(capacity >= wanted, capacity + " receives, must be at least " + wanted);
        Expect.equal(shared.srq.limits(), shared.srq.query().limits(), "sizes by query");
        shared.fill(106, capacity - 4);
        Expect.equal(VerbsStatus.ENOMEM, one(shared.srq, 0), "one receive more");
        for (int i = 102; i < 102 + Math.min(capacity, 40); i++) {
            link.carries(i, 64);
        }
    }

    private static void resizeRefuses(Rig rig, int size, int posted) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(1, posted);

        Expect.refused(VerbsStatus.EINVAL, "resize", () -> shared.srq.resize(size));

        Expect.equal(SharedQueueRig.CAPACITY, shared.srq.query().limits().receiveWr(), "receives");
        shared.fill(1 + posted, SharedQueueRig.CAPACITY - posted);
        link.carries(1, 64);
    }

    @Case("a full queue can be made larger, and takes more then")
    static void resizeWhileFull(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(0, SharedQueueRig.CAPACITY);
        Expect.equal(VerbsStatus.ENOMEM, shared.tryPost(9, shared.sge(0, 64)), "post when full");

        shared.srq.resize(2 * SharedQueueRig.CAPACITY);

        shared.fill(SharedQueueRig.CAPACITY, SharedQueueRig.CAPACITY);
        for (int i = 0; i < 2 * SharedQueueRig.CAPACITY; i++) {
            link.carries(i, 64);
        }
    }

    @Case("growing and shrinking amid traffic loses and repeats no receive")
    static void resizeAgainAndAgain(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        int posted = 0;
        int taken = 0;
        for (int round = 0; round < 12; round++) {
            shared.srq.resize(round % 3 == 0 ? 4 : round % 3 == 1 ? 32 : 8);
            int room = shared.srq.limits().receiveWr() - (posted - taken);
            int more = Math.min(room, 4 - (posted - taken));
            shared.fill(posted, more);
            posted += more;
            for (int i = 0; i < 3; i++) {
                link.carries(taken++, 64);
            }
        }
    }

    @Case("no room for all: ENOMEM, and none of the batch is posted")
    static void fullQueueRefuses(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(1, SharedQueueRig.CAPACITY - 1);
        ReceiveWorkRequest request = new ReceiveWorkRequest(50, List.of(shared.sge(0, 64)));

        Expect.equal(
                VerbsStatus.ENOMEM,
                shared.srq.postReceive(List.of(request, request)),
                "a batch of two into a room for one");

        shared.fill(SharedQueueRig.CAPACITY, 1);
        for (int i = 1; i <= SharedQueueRig.CAPACITY; i++) {
            link.carries(i, 64);
        }
    }

    @Case("a slot is free once its receive was taken, polled or not: choice")
    static void roomOnceTaken(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(1, SharedQueueRig.CAPACITY);
        Expect.equal(VerbsStatus.ENOMEM, shared.tryPost(50, shared.sge(0, 64)), "post when full");

        link.sends(1, 64);

        shared.post(50, shared.sge(0, 64));
        Expect.equal(VerbsStatus.ENOMEM, shared.tryPost(51, shared.sge(0, 64)), "post when full");
        link.received(1, VerbsStatus.SUCCESS);
    }

    @Case("more pieces than the queue was made for: EINVAL")
    static void tooManyPiecesRefused(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        Sge piece = shared.sge(0, 8);

        Expect.equal(VerbsStatus.EINVAL, shared.tryPost(1, piece, piece, piece), "post of 3 pieces");
        shared.post(2, piece, piece);
    }

    @Case("both tiers post alike: a batch of the poster is taken in order")
    static void posterPostsBatch(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.srq.receives().start().receive(999);
        shared.srq.receives().start();
        for (int i = 1; i <= 3; i++) {
            var _ = shared.srq.receives().receive(i).sge(shared.region.lkey(), shared.region.address(), 64);
        }

        Expect.equal(VerbsStatus.SUCCESS, shared.srq.receives().post(), "post");

        for (int i = 1; i <= 3; i++) {
            link.carries(i, 64);
        }
    }

    @Case("query tells the sizes, and no limit (ibv_query_srq)")
    static void queryAfterCreate(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);

        Expect.equal(
                new SrqAttributes(new SrqLimits(SharedQueueRig.CAPACITY, SharedQueueRig.PIECES), 0),
                shared.srq.query(),
                "query");
    }

    @Case("a PD with a shared queue cannot be deallocated: EBUSY")
    static void pdIsBusy(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        SharedReceiveQueue srq = rig.closing(pd.createSrq(new SrqLimits(4, 1)));

        Expect.refused(VerbsStatus.EBUSY, "dealloc_pd", pd::close);
        srq.close();
        pd.close();
    }

    @Case("a shared queue with queue pairs cannot be destroyed: EBUSY")
    static void busyWhileUsed(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();

        Expect.refused(VerbsStatus.EBUSY, "destroy_srq", shared.srq::close);
        shared.fill(1, 1);
        link.carries(1, 64);
        link.qp.close();
        shared.srq.close();
    }

    @Case("closing twice does nothing; posting after it is refused")
    static void closeTwice(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        shared.srq.close();
        shared.srq.close();

        Expect.equal(VerbsStatus.EINVAL, shared.tryPost(1, shared.sge(0, 8)), "post after close");
        Expect.refused(VerbsStatus.EINVAL, "query after close", shared.srq::query);
        Expect.refused(VerbsStatus.EINVAL, "resize after close", () -> shared.srq.resize(4));
        Expect.refused(VerbsStatus.EINVAL, "limit after close", () -> shared.srq.armLimit(1));
    }

    @Case("receives never taken go with their queue, without completions")
    static void destroyedWithReceivesPosted(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(1, 3);
        link.qp.close();

        shared.srq.close();

        link.receives.pollsEmpty();
    }

    @Case("a shared queue of another context: EINVAL")
    static void ofAnotherContextRefused(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        Context other = rig.context();
        ProtectionDomain pd = rig.closing(other.allocatePd());
        CompletionQueue cq = rig.closing(other.createCq(4, null));

        Expect.refused(VerbsStatus.EINVAL, "create_qp", () -> pd.createRc(QpLimits.of(1, 0), cq, cq, shared.srq));
    }

    @Case("a queue pair on a shared queue takes no receives of its own: EINVAL")
    static void ownReceivesRefused(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();

        Expect.equal(
                VerbsStatus.EINVAL,
                link.qp.postReceive(new ReceiveWorkRequest(1, List.of(shared.sge(0, 8)))),
                "post_recv");
        Expect.equal(VerbsStatus.EINVAL, link.qp.receives().start().receive(1).post(), "poster's post");
    }

    @Case("queues have different numbers of 24 bits (ibv_get_srq_num)")
    static void numbersDiffer(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        SharedReceiveQueue first = rig.closing(pd.createSrq(new SrqLimits(1, 1)));
        SharedReceiveQueue second = rig.closing(pd.createSrq(new SrqLimits(1, 1)));

        Expect.isTrue(first.srqn() != second.srqn(), "both are " + first.srqn());
        Expect.equal(first.srqn(), first.srqn() & 0xff_ffff, "number within 24 bits");
    }

    @Case("max_recv_wr and max_recv_sge are ignored with a shared queue (ibv_create_qp)")
    static void receiveSizesDoNotCount(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        CompletionQueue cq = rig.closing(shared.context.createCq(4, null));

        RcQueuePair qp = rig.closing(shared.qpPd.createRc(new QpLimits(1, -5, 1, 9999, 0, false), cq, cq, shared.srq));

        Expect.equal(0, qp.limits().receiveWr(), "receives of its own");
    }
}
