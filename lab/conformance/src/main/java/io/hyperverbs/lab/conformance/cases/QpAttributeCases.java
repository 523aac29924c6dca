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
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which attributes each move takes, within which bounds, and that they can be read back. */
@CaseGroup("qp-states")
public final class QpAttributeCases {
    /** Moves with required attributes, by their target. */
    private static final Map<QpState, QpState> SOURCE_OF = Map.of(
            QpState.INIT, QpState.RESET,
            QpState.RTR, QpState.INIT,
            QpState.RTS, QpState.RTR);

    /** A value out of its range, and the move on which it is tried. */
    private record BadValue(QpState to, QpAttribute attribute, long value) {}

    private static final List<BadValue> BAD_VALUES = List.of(
            new BadValue(QpState.INIT, QpAttribute.STATE, 7),
            new BadValue(QpState.INIT, QpAttribute.STATE, -1),
            new BadValue(QpState.INIT, QpAttribute.PORT, 0),
            new BadValue(QpState.INIT, QpAttribute.PORT, 255),
            new BadValue(QpState.INIT, QpAttribute.PKEY_INDEX, 65535),
            new BadValue(QpState.INIT, QpAttribute.PKEY_INDEX, -1),
            new BadValue(QpState.INIT, QpAttribute.ACCESS_FLAGS, 1 << 20),
            new BadValue(QpState.INIT, QpAttribute.ACCESS_FLAGS, -1),
            new BadValue(QpState.RTR, QpAttribute.AV, 1 << 16),
            new BadValue(QpState.RTR, QpAttribute.AV, -1),
            new BadValue(QpState.RTR, QpAttribute.PATH_MTU, 0),
            new BadValue(QpState.RTR, QpAttribute.PATH_MTU, 1000),
            new BadValue(QpState.RTR, QpAttribute.PATH_MTU, 8192),
            new BadValue(QpState.RTR, QpAttribute.DEST_QPN, 1 << 24),
            new BadValue(QpState.RTR, QpAttribute.DEST_QPN, -1),
            new BadValue(QpState.RTR, QpAttribute.RQ_PSN, 1 << 24),
            new BadValue(QpState.RTR, QpAttribute.MIN_RNR_TIMER, 32),
            new BadValue(QpState.RTR, QpAttribute.MAX_DEST_RD_ATOMIC, 256),
            new BadValue(QpState.RTS, QpAttribute.SQ_PSN, 1 << 24),
            new BadValue(QpState.RTS, QpAttribute.SQ_PSN, -1),
            new BadValue(QpState.RTS, QpAttribute.TIMEOUT, 32),
            new BadValue(QpState.RTS, QpAttribute.TIMEOUT, -1),
            new BadValue(QpState.RTS, QpAttribute.RETRY_CNT, 8),
            new BadValue(QpState.RTS, QpAttribute.RNR_RETRY, 8),
            new BadValue(QpState.RTS, QpAttribute.MAX_QP_RD_ATOMIC, 256),
            new BadValue(QpState.RTS, QpAttribute.CUR_STATE, QpState.INIT.code()));

    /** An attribute that a move does not take. */
    private record Stranger(QpState from, QpState to, QpAttribute attribute, long value) {}

    private static final List<Stranger> STRANGERS = List.of(
            new Stranger(QpState.RESET, QpState.INIT, QpAttribute.DEST_QPN, 77),
            new Stranger(QpState.RESET, QpState.INIT, QpAttribute.SQ_PSN, 1),
            new Stranger(QpState.RESET, QpState.INIT, QpAttribute.QKEY, 1),
            new Stranger(QpState.INIT, QpState.RTR, QpAttribute.SQ_PSN, 1),
            new Stranger(QpState.INIT, QpState.RTR, QpAttribute.RETRY_CNT, 1),
            new Stranger(QpState.RTR, QpState.RTS, QpAttribute.DEST_QPN, 77),
            new Stranger(QpState.RTR, QpState.RTS, QpAttribute.PATH_MTU, 256),
            new Stranger(QpState.RTS, QpState.RTS, QpAttribute.SQ_PSN, 1),
            new Stranger(QpState.RTS, QpState.RTS, QpAttribute.DEST_QPN, 77),
            new Stranger(QpState.RTS, QpState.RTS, QpAttribute.PATH_MTU, 256),
            new Stranger(QpState.RTS, QpState.ERR, QpAttribute.MIN_RNR_TIMER, 1),
            new Stranger(QpState.RTS, QpState.RESET, QpAttribute.MIN_RNR_TIMER, 1));

    private QpAttributeCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        addRequired(cases, QpState.INIT, QpAttributes.toInit(Set.of()));
        addRequired(cases, QpState.RTR, QpAttributes.toRtr(new Endpoint(1, 2, 3, 0, 0, 0)));
        addRequired(cases, QpState.RTS, QpAttributes.toRts(0));
        for (BadValue bad : BAD_VALUES) {
            cases.add(
                    QpStates.label(bad.attribute) + "-of-" + bad.value,
                    "a value out of range: EINVAL, and nothing changes (ibv_modify_qp)",
                    rig -> refusesBadValue(rig, bad));
        }
        for (Stranger stranger : STRANGERS) {
            cases.add(
                    QpStates.label(stranger.from)
                            + "-to-"
                            + QpStates.label(stranger.to)
                            + "-with-"
                            + QpStates.label(stranger.attribute),
                    "an attribute that the move does not take: EINVAL, and nothing changes",
                    rig -> refusesStranger(rig, stranger));
        }
    }

    private static void addRequired(CaseList cases, QpState to, QpAttributes complete) {
        for (QpAttribute attribute : complete.values().keySet()) {
            if (attribute != QpAttribute.STATE) {
                cases.add(
                        "to-" + QpStates.label(to) + "-without-" + QpStates.label(attribute),
                        "a required attribute is missing: EINVAL, and nothing changes (ibv_modify_qp)",
                        rig -> refusesMissing(rig, to, attribute));
            }
        }
    }

    private static QpState sourceOf(QpState to) {
        return SOURCE_OF.getOrDefault(to, QpState.RESET);
    }

    private static void refusesMissing(Rig rig, QpState to, QpAttribute missing) throws VerbsException {
        Side side = QpStates.in(rig, sourceOf(to));
        refuses(side, QpStates.attributes(side, to).without(missing));
        side.qp().modify(QpStates.attributes(side, to));
        side.expectState(to);
    }

    private static void refusesBadValue(Rig rig, BadValue bad) throws VerbsException {
        Side side = QpStates.in(rig, sourceOf(bad.to));
        refuses(side, QpStates.attributes(side, bad.to).with(bad.attribute, bad.value));
        side.qp().modify(QpStates.attributes(side, bad.to));
        side.expectState(bad.to);
    }

    private static void refusesStranger(Rig rig, Stranger stranger) throws VerbsException {
        Side side = QpStates.in(rig, stranger.from);
        QpAttributes plain = QpStates.isFirst(stranger.from, stranger.to)
                ? QpStates.attributes(side, stranger.to)
                : QpAttributes.to(stranger.to);
        refuses(side, plain.with(stranger.attribute, stranger.value));
        side.qp().modify(plain);
        side.expectState(stranger.to);
    }

    private static void refuses(Side side, QpAttributes attributes) throws VerbsException {
        QpAttributes before = side.qp().query();
        Expect.refused(
                VerbsStatus.EINVAL, "modify by " + attributes, () -> side.qp().modify(attributes));
        Expect.equal(before, side.qp().query(), "attributes after a refused modify");
    }

    private static void expectSet(Side side, QpAttributes set) throws VerbsException {
        QpAttributes found = side.qp().query();
        for (Map.Entry<QpAttribute, Long> entry : set.values().entrySet()) {
            Expect.isTrue(found.has(entry.getKey()), entry.getKey() + " is missing in " + found);
            Expect.equal(entry.getValue(), found.get(entry.getKey()), entry.getKey() + " by query");
        }
    }

    @Case("ibv_query_qp gives every attribute back as ibv_modify_qp set it")
    static void queryReturnsWhatWasSet(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard());
        QpAttributes init = QpAttributes.toInit(EnumSet.of(Access.REMOTE_READ));
        QpAttributes rtr = QpAttributes.toRtr(side.endpoint())
                .with(QpAttribute.PATH_MTU, 512)
                .with(QpAttribute.RQ_PSN, 0xabcdef)
                .with(QpAttribute.MAX_DEST_RD_ATOMIC, 3)
                .with(QpAttribute.MIN_RNR_TIMER, 31);
        QpAttributes rts = QpAttributes.toRts(0x123456)
                .with(QpAttribute.MAX_QP_RD_ATOMIC, 2)
                .with(QpAttribute.TIMEOUT, 31)
                .with(QpAttribute.RETRY_CNT, 5)
                .with(QpAttribute.RNR_RETRY, 6);

        side.qp().modify(init);
        expectSet(side, init);
        side.qp().modify(rtr);
        expectSet(side, rtr);
        expectSet(side, init.without(QpAttribute.STATE));
        side.qp().modify(rts);
        expectSet(side, rts);
        expectSet(side, rtr.without(QpAttribute.STATE));
        expectSet(side, init.without(QpAttribute.STATE));
    }

    @Case("INIT to INIT changes the rights (ibv_modify_qp)")
    static void initChangesRights(Rig rig) throws VerbsException {
        Side side = QpStates.in(rig, QpState.INIT);
        QpAttributes change = QpAttributes.none().with(QpAttribute.ACCESS_FLAGS, Access.REMOTE_WRITE.bit());

        side.qp().modify(change);

        expectSet(side, change);
        side.expectState(QpState.INIT);
    }

    @Case("attributes change without a move, in RTS: rights and RNR timer")
    static void rtsChangesWithoutState(Rig rig) throws VerbsException {
        Side side = QpStates.in(rig, QpState.RTS);
        QpAttributes change =
                QpAttributes.none().with(QpAttribute.MIN_RNR_TIMER, 9).with(QpAttribute.ACCESS_FLAGS, 0);

        side.qp().modify(change);

        expectSet(side, change);
        side.expectState(QpState.RTS);
    }

    @Case("SQD to SQD changes timeout, retries and depths (ibv_modify_qp)")
    static void sqdChangesPath(Rig rig) throws VerbsException {
        Side side = QpStates.in(rig, QpState.SQD);
        QpAttributes change = QpAttributes.to(QpState.SQD)
                .with(QpAttribute.TIMEOUT, 9)
                .with(QpAttribute.RETRY_CNT, 2)
                .with(QpAttribute.RNR_RETRY, 3)
                .with(QpAttribute.MAX_QP_RD_ATOMIC, 4)
                .with(QpAttribute.MAX_DEST_RD_ATOMIC, 5);

        side.qp().modify(change);

        expectSet(side, change);
    }

    @Case("CUR_STATE that is the state is accepted (ibv_modify_qp)")
    static void curStateThatHolds(Rig rig) throws VerbsException {
        Side side = QpStates.in(rig, QpState.RTR);

        side.qp().modify(QpStates.attributes(side, QpState.RTS).with(QpAttribute.CUR_STATE, QpState.RTR.code()));

        side.expectState(QpState.RTS);
    }

    @Case("a right taken away in RTS is gone when ibv_modify_qp returns: choice")
    static void rightsChangeCountsAtOnce(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Transfers.writes(pair, 8);

        pair.responder().qp().modify(QpAttributes.none().with(QpAttribute.ACCESS_FLAGS, 0));

        Side requester = pair.requester();
        requester.post(Operation.WRITE.request(9, pair.responder(), 0, requester.sge(0, 8)));
        requester.sent(9, VerbsStatus.REM_INV_REQ_ERR);
    }
}
