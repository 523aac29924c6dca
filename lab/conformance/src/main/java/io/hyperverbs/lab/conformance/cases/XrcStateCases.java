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
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.XrcInitiator;
import io.hyperverbs.verbs.XrcTarget;
import java.util.List;
import java.util.Set;

/** Life and moves of XRC domains, initiators and targets. */
@CaseGroup("xrc")
public final class XrcStateCases {
    private XrcStateCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (QpAttribute attribute :
                List.of(QpAttribute.AV, QpAttribute.PATH_MTU, QpAttribute.DEST_QPN, QpAttribute.RQ_PSN)) {
            cases.add(
                    "initiator-to-rtr-needs-" + attribute,
                    "a required attribute is missing: EINVAL, nothing changes (ibv_modify_qp)",
                    rig -> initiatorNeeds(rig, attribute));
        }
        for (QpAttribute attribute : List.of(QpAttribute.MAX_DEST_RD_ATOMIC, QpAttribute.MIN_RNR_TIMER)) {
            cases.add(
                    "initiator-to-rtr-refuses-" + attribute,
                    "an initiator has no attributes of a responder: EINVAL, nothing changes",
                    rig -> initiatorRefuses(rig, attribute));
        }
        for (QpAttribute attribute :
                List.of(QpAttribute.MAX_DEST_RD_ATOMIC, QpAttribute.MIN_RNR_TIMER, QpAttribute.DEST_QPN)) {
            cases.add(
                    "target-to-rtr-needs-" + attribute,
                    "a required attribute is missing: EINVAL, nothing changes (ibv_modify_qp)",
                    rig -> targetNeeds(rig, attribute));
        }
        for (QpAttribute attribute :
                List.of(QpAttribute.MAX_QP_RD_ATOMIC, QpAttribute.RETRY_CNT, QpAttribute.RNR_RETRY)) {
            cases.add(
                    "target-to-rts-refuses-" + attribute,
                    "a target has no attributes of a requester: EINVAL, nothing changes",
                    rig -> targetRefuses(rig, attribute));
        }
    }

    @Case("a queue pair of RC takes no request of XRC: EINVAL")
    static void rcNamesNoQueue(Side requester) throws VerbsException {
        Expect.equal(
                VerbsStatus.EINVAL,
                requester.qp().postSend(new SendWorkRequest.Xrc(5, Operation.WRITE.request(7))),
                "post_send");
        requester.noMoreSends();
    }

    @Case("an initiator has no receive queue: EINVAL")
    static void initiatorTakesNoReceives(Rig rig) throws VerbsException {
        XrcRig.Link link = new XrcRig(rig).link();

        Expect.equal(VerbsStatus.EINVAL, link.initiator.postReceive(new ReceiveWorkRequest(1, List.of())), "post_recv");
    }

    @Case("a queue pair of RC cannot be created on a queue of XRC: EINVAL")
    static void noRcOnXrcQueue(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        CompletionQueue cq = queue.receives.cq();

        Expect.refused(
                VerbsStatus.EINVAL,
                "a queue pair on a queue of XRC",
                () -> queue.pd.createRc(QpLimits.of(4, 0), cq, cq, queue.srq));
    }

    @Case("a domain with a queue: EBUSY naming it (ibv_close_xrcd)")
    static void domainBusyWithQueue(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();

        Expect.inUse(xrc.domain, queue.srq);

        queue.srq.close();
        xrc.domain.close();
    }

    @Case("a domain with a target: EBUSY naming it (ibv_close_xrcd)")
    static void domainBusyWithTarget(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcTarget target = rig.closing(xrc.domain.createTarget());

        Expect.inUse(xrc.domain, target);

        target.close();
        xrc.domain.close();
    }

    @Case("a CQ of a queue of XRC: EBUSY naming it (ibv_destroy_cq)")
    static void cqBusyWithQueue(Rig rig) throws VerbsException {
        XrcRig.Queue queue = new XrcRig(rig).queue();

        Expect.refused(VerbsStatus.EBUSY, "closing the CQ", queue.receives.cq()::close);
        Expect.refused(VerbsStatus.EBUSY, "closing the PD", queue.pd::close);
    }

    @Case("a closed domain leaves nothing behind")
    static void openAndCloseRepeatedly(Rig rig) throws VerbsException {
        Context context = rig.context();
        int many = 2 * context.queryDevice().maxPd();
        for (int i = 0; i < many; i++) {
            context.openXrcDomain().close();
        }
        context.close();
    }

    @Case("PD or CQ of another context: EINVAL")
    static void objectsOfAnotherContext(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        Context other = rig.context();
        ProtectionDomain pd = rig.closing(other.allocatePd());
        CompletionQueue cq = rig.closing(other.createCq(4, null));
        SrqLimits limits = new SrqLimits(4, 1);

        Expect.refused(
                VerbsStatus.EINVAL,
                "PD of another context",
                () -> xrc.domain.createSrq(pd, limits, queue.receives.cq()));
        Expect.refused(VerbsStatus.EINVAL, "CQ of another context", () -> xrc.domain.createSrq(queue.pd, limits, cq));
    }

    private static QpAttributes toRtr(Endpoint peer) {
        return QpAttributes.toRtr(peer).without(QpAttribute.MAX_DEST_RD_ATOMIC).without(QpAttribute.MIN_RNR_TIMER);
    }

    private static Endpoint somewhere(Rig rig) throws VerbsException {
        return new Endpoint(rig.context().queryPort(1).lid(), 0x123456, 1, 0, 0, 0);
    }

    private static XrcInitiator initiator(Rig rig) throws VerbsException {
        Context context = rig.context();
        XrcInitiator initiator = rig.closing(rig.closing(context.allocatePd())
                .createXrcInitiator(QpLimits.of(4, 0), rig.closing(context.createCq(4, null))));
        initiator.modify(QpAttributes.toInit(Set.of()));
        return initiator;
    }

    private static void initiatorNeeds(Rig rig, QpAttribute attribute) throws VerbsException {
        XrcInitiator initiator = initiator(rig);
        QpAttributes whole = toRtr(somewhere(rig));

        Expect.refused(VerbsStatus.EINVAL, "RTR", () -> initiator.modify(whole.without(attribute)));

        Expect.equal(QpState.INIT, initiator.query().state(), "state");
        initiator.modify(whole);
    }

    private static void initiatorRefuses(Rig rig, QpAttribute attribute) throws VerbsException {
        XrcInitiator initiator = initiator(rig);
        QpAttributes whole = toRtr(somewhere(rig));

        Expect.refused(VerbsStatus.EINVAL, "RTR", () -> initiator.modify(whole.with(attribute, 1)));

        Expect.equal(QpState.INIT, initiator.query().state(), "state");
        initiator.modify(whole);
    }

    private static XrcTarget target(Rig rig) throws VerbsException {
        XrcTarget target = rig.closing(new XrcRig(rig).domain.createTarget());
        target.modify(QpAttributes.toInit(Set.of()));
        return target;
    }

    private static void targetNeeds(Rig rig, QpAttribute attribute) throws VerbsException {
        XrcTarget target = target(rig);
        QpAttributes whole = QpAttributes.toRtr(somewhere(rig));

        Expect.refused(VerbsStatus.EINVAL, "RTR", () -> target.modify(whole.without(attribute)));

        Expect.equal(QpState.INIT, target.query().state(), "state");
        target.modify(whole);
    }

    private static QpAttributes targetToRts() {
        return QpAttributes.to(QpState.RTS).with(QpAttribute.SQ_PSN, 1).with(QpAttribute.TIMEOUT, 14);
    }

    private static void targetRefuses(Rig rig, QpAttribute attribute) throws VerbsException {
        XrcTarget target = target(rig);
        target.modify(QpAttributes.toRtr(somewhere(rig)));

        Expect.refused(
                VerbsStatus.EINVAL, "RTS", () -> target.modify(targetToRts().with(attribute, 1)));

        Expect.equal(QpState.RTR, target.query().state(), "state");
        target.modify(targetToRts());
    }

    @Case("a target has no send queue: no move to SQD, EINVAL")
    static void targetDrainsNothing(Rig rig) throws VerbsException {
        XrcTarget target = target(rig);
        target.modify(QpAttributes.toRtr(somewhere(rig)));
        target.modify(targetToRts());

        Expect.refused(VerbsStatus.EINVAL, "SQD", () -> target.modify(QpAttributes.to(QpState.SQD)));

        Expect.equal(QpState.RTS, target.query().state(), "state");
    }

    @Case("a target may go to RTS with the attributes of its half, and takes messages there")
    static void targetToRts(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        link.target.modify(targetToRts());
        queue.post(1, queue.region.sge(0, 64));

        link.carries(queue, 1, 64);
    }

    @Case("both ends reset and connected again carry messages as before")
    static void resetAndConnectAgain(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        queue.post(1, queue.region.sge(0, 64));
        queue.post(2, queue.region.sge(0, 64));
        link.carries(queue, 1, 64);

        link.target.modify(QpAttributes.to(QpState.RESET));
        link.initiator.modify(QpAttributes.to(QpState.RESET));
        link.connect(SideOptions.standard().qpAccess());

        link.carries(queue, 2, 64);
    }
}
