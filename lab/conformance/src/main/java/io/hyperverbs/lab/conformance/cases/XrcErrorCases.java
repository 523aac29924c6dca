package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Completions;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.XrcDomain;
import io.hyperverbs.verbs.XrcInitiator;
import io.hyperverbs.verbs.XrcTarget;
import java.util.List;
import java.util.Set;

/** What the extended reliable connection refuses, and what it waits for. */
@CaseGroup("xrc")
public final class XrcErrorCases {
    private XrcErrorCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.values()) {
            cases.add(
                    operation.label() + "-to-no-queue",
                    "a number that is no queue of the target's domain: REM_INV_REQ_ERR, QP_REQ_ERR, both ERR",
                    rig -> noQueue(rig, operation));
        }
    }

    private static void noQueue(Rig rig, Operation operation) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        Pattern.blank(queue.buffer);
        queue.post(1, queue.region.sge(0, 64));

        link.post(
                queue.srq.srqn() ^ 0x155555,
                operation.request(7, queue.region.address(), queue.region.rkey(), List.of(link.sge(0, 8))));

        refused(xrc, link);
        Pattern.expectBlank(queue.buffer, 0, 64, "buffer of the queue");
        queue.receives.pollsEmpty();
    }

    /** The request 7 was not for that target: both ends are in ERR. */
    private static void refused(XrcRig xrc, XrcRig.Link link) throws VerbsException {
        link.sent(7, VerbsStatus.REM_INV_REQ_ERR);
        xrc.event(AsyncEvent.Type.QP_REQ_ERR, link.target.qpn());
        Expect.equal(QpState.ERR, link.target.query().state(), "state of the target");
        Expect.equal(QpState.ERR, link.initiator.query().state(), "state of the initiator");
    }

    private static void send(XrcRig.Link link, int srqn, int lengthBytes) {
        link.post(srqn, Operation.SEND.request(7, link.sge(0, lengthBytes)));
    }

    @Case("a queue of another XRC domain: REM_INV_REQ_ERR, and its receives stay")
    static void queueOfAnotherDomain(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcDomain other = rig.closing(xrc.context.openXrcDomain());
        XrcRig.Queue queue = xrc.new Queue(other);
        XrcRig.Link link = xrc.link();
        queue.post(1, queue.region.sge(0, 64));

        send(link, queue.srq.srqn(), 8);

        refused(xrc, link);
        queue.receives.pollsEmpty();
    }

    @Case("a shared queue that is not of XRC cannot be named: REM_INV_REQ_ERR")
    static void plainSrqNamed(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Link link = xrc.link();
        ProtectionDomain pd = rig.closing(xrc.context.allocatePd());
        SharedReceiveQueue plain = rig.closing(pd.createSrq(new SrqLimits(4, 1)));

        send(link, plain.srqn(), 8);

        refused(xrc, link);
    }

    @Case("a queue that was destroyed cannot be named: REM_INV_REQ_ERR")
    static void destroyedQueueNamed(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        queue.post(1, queue.region.sge(0, 64));
        queue.post(2, queue.region.sge(0, 64));
        link.carries(queue, 1, 64);
        int srqn = queue.srq.srqn();
        queue.srq.close();
        queue.receives.cq().close();

        send(link, srqn, 8);

        refused(xrc, link);
    }

    @Case("remote keys are those of the PD of the queue named: REM_ACCESS_ERR else")
    static void keyOfTheQueueThatIsNamed(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue named = xrc.queue();
        XrcRig.Queue other = xrc.queue();
        XrcRig.Link link = xrc.link();
        Pattern.blank(other.buffer);

        link.post(
                named.srq.srqn(),
                Operation.WRITE.request(7, other.region.address(), other.region.rkey(), List.of(link.sge(0, 64))));

        link.sent(7, VerbsStatus.REM_ACCESS_ERR);
        xrc.event(AsyncEvent.Type.QP_ACCESS_ERR, link.target.qpn());
        Pattern.expectBlank(other.buffer, 0, 64, "region of another queue's PD");
    }

    @Case("receives use keys of their queue's PD: LOC_PROT_ERR and REM_OP_ERR else")
    static void receiveWithKeyOfAnotherPd(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Queue other = xrc.queue();
        XrcRig.Link link = xrc.link();
        MemoryRegion foreign = other.region;
        queue.post(1, foreign.sge(0, 64));

        send(link, queue.srq.srqn(), 8);

        link.sent(7, VerbsStatus.REM_OP_ERR);
        queue.received(link, 1, VerbsStatus.LOC_PROT_ERR);
    }

    @Case("LOC_LEN_ERR in the queue's CQ, REM_INV_REQ_ERR at the initiator")
    static void receiveTooSmall(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link bad = xrc.link();
        XrcRig.Link good = xrc.link();
        queue.post(1, queue.region.sge(0, 7));
        queue.post(2, queue.region.sge(0, 64));

        send(bad, queue.srq.srqn(), 8);

        bad.sent(7, VerbsStatus.REM_INV_REQ_ERR);
        queue.received(bad, 1, VerbsStatus.LOC_LEN_ERR);
        good.carries(queue, 2, 64);
    }

    @Case("an operation the target does not allow: REM_INV_REQ_ERR, QP_REQ_ERR")
    static void rightsOfTheTarget(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.new Link(Set.of());

        link.post(7, Operation.WRITE, queue);

        refused(xrc, link);
    }

    @Case("no receive there: the initiator waits until one is posted (RNR)")
    static void emptyQueueWaits(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        send(link, queue.srq.srqn(), 8);
        link.sends.pollsEmpty();

        queue.post(4, queue.region.sge(0, 64));

        link.sent(7, VerbsStatus.SUCCESS);
        queue.received(link, 4, VerbsStatus.SUCCESS);
    }

    @Case("the limit of an XRC queue: SRQ_LIMIT_REACHED once")
    static void limitEvent(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        for (int i = 0; i < 4; i++) {
            queue.post(i, queue.region.sge(0, 64));
        }
        queue.srq.armLimit(3);
        for (int i = 0; i < 4; i++) {
            link.carries(queue, i, 16);
        }
        xrc.event(AsyncEvent.Type.SRQ_LIMIT_REACHED, queue.srq.srqn());
        link.target.modify(QpAttributes.to(QpState.ERR));
        xrc.event(AsyncEvent.Type.QP_LAST_WQE_REACHED, link.target.qpn());
    }

    @Case("a target in ERR flushes nothing of the queue; another target goes on")
    static void targetInErrLeavesReceives(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link bad = xrc.link();
        XrcRig.Link good = xrc.link();
        for (int i = 0; i < 3; i++) {
            queue.post(i, queue.region.sge(0, 64));
        }
        bad.carries(queue, 0, 64);

        bad.target.modify(QpAttributes.to(QpState.ERR));

        good.carries(queue, 1, 64);
        good.carries(queue, 2, 64);
        queue.receives.pollsEmpty();
    }

    @Case("a target moved to ERR raises QP_LAST_WQE_REACHED: choice")
    static void targetInErrReportsLast(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Link link = xrc.link();

        link.target.modify(QpAttributes.to(QpState.ERR));

        xrc.event(AsyncEvent.Type.QP_LAST_WQE_REACHED, link.target.qpn());
    }

    @Case("a target that was destroyed: RETRY_EXC_ERR at the initiator")
    static void absentTarget(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        link.initiator.modify(QpAttributes.to(QpState.SQD));
        link.initiator.modify(QpAttributes.none().with(QpAttribute.TIMEOUT, 8).with(QpAttribute.RETRY_CNT, 1));
        link.initiator.modify(QpAttributes.to(QpState.RTS));
        link.target.close();

        send(link, queue.srq.srqn(), 8);

        link.sent(7, VerbsStatus.RETRY_EXC_ERR);
    }

    @Case("a request of RC to a target is not heard: RETRY_EXC_ERR")
    static void rcDoesNotReachTarget(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcTarget target = rig.closing(xrc.domain.createTarget());
        Side side = rig.side(SideOptions.impatient());
        int lid = xrc.context.queryPort(1).lid();
        target.connect(
                new Endpoint(lid, side.qp().qpn(), side.psn(), 0, 0, 0),
                SideOptions.standard().qpAccess());
        side.connect(new Endpoint(lid, target.qpn(), 0, 0, 0, 0));

        side.post(Operation.WRITE.request(7));

        side.sent(7, VerbsStatus.RETRY_EXC_ERR);
    }

    @Case("a request of XRC to a queue pair of RC is not heard: RETRY_EXC_ERR")
    static void xrcDoesNotReachRc(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        Side side = rig.side(SideOptions.standard());
        Completions sends = new Completions(rig.closing(xrc.context.createCq(8, null)), "send CQ");
        XrcInitiator initiator = rig.closing(queue.pd.createXrcInitiator(QpLimits.of(8, 0), sends.cq()));
        int lid = xrc.context.queryPort(1).lid();
        side.connect(new Endpoint(lid, initiator.qpn(), XrcRig.PSN, 0, 0, 0));
        initiator.modify(QpAttributes.toInit(Set.of()));
        initiator.modify(toRtr(new Endpoint(lid, side.qp().qpn(), 0, 0, 0, 0)));
        initiator.modify(
                QpAttributes.toRts(XrcRig.PSN).with(QpAttribute.TIMEOUT, 8).with(QpAttribute.RETRY_CNT, 1));

        Expect.equal(
                VerbsStatus.SUCCESS,
                initiator.postSend(new SendWorkRequest.Xrc(queue.srq.srqn(), Operation.WRITE.request(7))),
                "post_send");

        Expect.equal(VerbsStatus.RETRY_EXC_ERR, sends.next().status(), "status");
    }

    @Case("a request that names no queue: REM_INV_REQ_ERR")
    static void unnamedQueue(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Link link = xrc.link();

        Expect.equal(VerbsStatus.SUCCESS, link.initiator.postSend(Operation.SEND.request(7)), "post_send");

        refused(xrc, link);
    }

    private static QpAttributes toRtr(Endpoint peer) {
        return QpAttributes.toRtr(peer).without(QpAttribute.MAX_DEST_RD_ATOMIC).without(QpAttribute.MIN_RNR_TIMER);
    }

    @Case("requests of an initiator in ERR are flushed in order")
    static void flushedInitiator(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        link.initiator.modify(QpAttributes.to(QpState.ERR));

        for (int i = 0; i < 5; i++) {
            link.post(i, Operation.SEND, queue);
        }

        for (int i = 0; i < 5; i++) {
            link.sent(i, VerbsStatus.WR_FLUSH_ERR);
        }
    }
}
