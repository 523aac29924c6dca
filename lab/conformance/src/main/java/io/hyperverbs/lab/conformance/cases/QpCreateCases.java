package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Completions;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Creating and destroying queue pairs. */
@CaseGroup("qp-states")
public final class QpCreateCases {
    private QpCreateCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        addRefused(cases, "send-wr-zero", device -> new QpLimits(0, 1, 1, 1, 0, false));
        addRefused(cases, "send-wr-negative", device -> new QpLimits(-1, 1, 1, 1, 0, false));
        addRefused(cases, "receive-wr-negative", device -> new QpLimits(1, -1, 1, 1, 0, false));
        addRefused(cases, "send-sge-zero", device -> new QpLimits(1, 1, 0, 1, 0, false));
        addRefused(cases, "receive-sge-zero", device -> new QpLimits(1, 1, 1, 0, 0, false));
        addRefused(cases, "inline-negative", device -> new QpLimits(1, 1, 1, 1, -1, false));
        addRefused(cases, "send-wr-huge", device -> new QpLimits(device.maxQpWr() + 1, 1, 1, 1, 0, false));
        addRefused(cases, "receive-wr-huge", device -> new QpLimits(1, Integer.MAX_VALUE, 1, 1, 0, false));
        addRefused(cases, "send-sge-huge", device -> new QpLimits(1, 1, device.maxSge() + 1, 1, 0, false));
        addRefused(cases, "receive-sge-huge", device -> new QpLimits(1, 1, 1, Integer.MAX_VALUE, 0, false));
        addRefused(cases, "inline-huge", device -> new QpLimits(1, 1, 1, 1, device.maxInlineBytes() + 1, false));
    }

    private static void addRefused(CaseList cases, String what, Function<DeviceAttributes, QpLimits> limits) {
        cases.add(
                "create-" + what, "a size below the least or above the device's limit: EINVAL (ibv_create_qp)", rig -> {
                    Place place = new Place(rig);
                    QpLimits bad = limits.apply(place.context.queryDevice());
                    Expect.refused(VerbsStatus.EINVAL, "creating " + bad, () -> place.create(bad));
                    place.create(QpLimits.of(1, 1));
                });
    }

    /** A PD and a CQ to create queue pairs with. */
    private static final class Place {
        private final Rig rig;
        private final Context context;
        private final ProtectionDomain pd;
        private final CompletionQueue cq;

        Place(Rig rig) throws VerbsException {
            this.rig = rig;
            context = rig.context();
            pd = rig.closing(context.allocatePd());
            cq = rig.closing(context.createCq(16, null));
        }

        QueuePair create(QpLimits limits) throws VerbsException {
            return rig.closing(pd.createRc(limits, cq, cq));
        }
    }

    @Case("ibv_create_qp: an RC queue pair in RESET with at least the sizes asked")
    static void createdInReset(Rig rig) throws VerbsException {
        Place place = new Place(rig);
        QpLimits asked = new QpLimits(10, 5, 3, 2, 33, true);

        QueuePair qp = place.create(asked);

        QpLimits given = qp.limits();
        Expect.equal(QpState.RESET, qp.query().state(), "state");
        Expect.equal(QpType.RC, qp.type(), "type");
        Expect.isTrue(qp.pd().equals(place.pd), "the queue pair names another PD");
        Expect.isTrue(
                given.sendWr() >= 10
                        && given.receiveWr() >= 5
                        && given.sendSge() >= 3
                        && given.receiveSge() >= 2
                        && given.inlineBytes() >= 33
                        && given.allSignalled(),
                "asked " + asked + ", given " + given);
    }

    @Case("max_sge and the largest inline payload of ibv_query_device can be had")
    static void largestPiecesAndInline(Rig rig) throws VerbsException {
        Place place = new Place(rig);
        DeviceAttributes device = place.context.queryDevice();

        QueuePair qp =
                place.create(new QpLimits(4, 4, device.maxSge(), device.maxSge(), device.maxInlineBytes(), false));

        Expect.equal(device.maxSge(), qp.limits().sendSge(), "pieces per send");
    }

    @Case("QPNs are 24 bits, never 0, 1 or 0xFFFFFF, and not counted up: choice")
    static void numbersRandom(Rig rig) throws VerbsException {
        Place place = new Place(rig);
        Set<Integer> numbers = new HashSet<>();
        int neighbours = 0;
        int last = 0;
        for (int i = 0; i < 16; i++) {
            int qpn = place.create(QpLimits.of(1, 1)).qpn();
            Expect.isTrue(qpn > 1 && qpn < 0xff_ffff, "QPN " + Integer.toHexString(qpn) + " is reserved");
            Expect.isTrue(numbers.add(qpn), "two live queue pairs have one number");
            neighbours += Math.abs(qpn - last) == 1 ? 1 : 0;
            last = qpn;
        }
        Expect.isTrue(neighbours < 8, neighbours + " of 16 QPNs follow their predecessor");
    }

    @Case("0 receive requests are legal; posting one is then ENOMEM")
    static void noReceiveQueue(Rig rig) throws VerbsException {
        QueuePair qp = new Place(rig).create(QpLimits.of(4, 0));
        qp.modify(QpAttributes.toInit(Set.of()));

        VerbsStatus found = qp.postReceive(new ReceiveWorkRequest(1, List.of()));

        Expect.equal(VerbsStatus.ENOMEM, found, "posting to a receive queue of 0");
    }

    @Case("a CQ of another context: EINVAL (ibv_create_qp)")
    static void cqOfAnotherContext(Rig rig) throws VerbsException {
        Place here = new Place(rig);
        Place there = new Place(rig);

        Expect.refused(
                VerbsStatus.EINVAL,
                "a send CQ of another context",
                () -> here.pd.createRc(QpLimits.of(1, 1), there.cq, here.cq));
        Expect.refused(
                VerbsStatus.EINVAL,
                "a receive CQ of another context",
                () -> here.pd.createRc(QpLimits.of(1, 1), here.cq, there.cq));
    }

    @Case("a destroyed CQ as a parameter: EINVAL (ibv_create_qp)")
    static void closedCq(Rig rig) throws VerbsException {
        Place place = new Place(rig);
        CompletionQueue closed = place.context.createCq(4, null);
        closed.close();

        Expect.refused(
                VerbsStatus.EINVAL,
                "a closed receive CQ",
                () -> place.pd.createRc(QpLimits.of(1, 1), place.cq, closed));
    }

    @Case("send and receive queue may share a CQ (ibv_create_qp)")
    static void oneCqForBoth(Rig rig) throws VerbsException {
        Place place = new Place(rig);
        QueuePair qp = place.create(QpLimits.of(4, 4));
        qp.modify(QpAttributes.toInit(Set.of()));
        qp.modify(QpAttributes.to(QpState.ERR));
        Expect.equal(VerbsStatus.SUCCESS, qp.postReceive(new ReceiveWorkRequest(1, List.of())), "receive");

        WorkCompletion flushed = new Completions(place.cq, "the CQ").next();

        Expect.equal(1L, flushed.wrId(), "wr_id of the flushed receive");
        Expect.equal(VerbsStatus.WR_FLUSH_ERR, flushed.status(), "status");
    }

    @Case("a destroyed QP as a parameter: EINVAL (ibv_modify_qp)")
    static void modifyAfterClose(Rig rig) throws VerbsException {
        QueuePair qp = new Place(rig).create(QpLimits.of(1, 1));
        qp.close();

        Expect.refused(
                VerbsStatus.EINVAL, "modifying a closed queue pair", () -> qp.modify(QpAttributes.to(QpState.ERR)));
    }

    @Case("a queue pair can be destroyed in every state (IBA 10.2.4.4)")
    static void closeInEachState(Rig rig) throws VerbsException {
        for (QpState state : QpStates.REACHABLE) {
            QpStates.in(rig, state).qp().close();
        }
    }
}
