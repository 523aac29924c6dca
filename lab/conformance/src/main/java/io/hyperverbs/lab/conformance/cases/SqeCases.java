package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.UnreliableSide;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The states of unreliable queue pairs, and the one they have alone: SQE. */
final class SqeCases {
    private static final Map<QpState, Set<QpState>> LEGAL = Map.of(
            QpState.RESET, EnumSet.of(QpState.INIT),
            QpState.INIT, EnumSet.of(QpState.INIT, QpState.RTR),
            QpState.RTR, EnumSet.of(QpState.RTS),
            QpState.RTS, EnumSet.of(QpState.RTS, QpState.SQD),
            QpState.SQD, EnumSet.of(QpState.RTS, QpState.SQD),
            QpState.SQE, EnumSet.of(QpState.RTS),
            QpState.ERR, EnumSet.noneOf(QpState.class));

    private SqeCases() {}

    /** Opens a side of a transport, its queue pair in RESET. */
    interface Opener {
        UnreliableSide<?> open(Rig rig) throws VerbsException;
    }

    /** Adds the cases of one transport. */
    static void add(CaseList cases, Opener opener) {
        for (QpState from : QpState.values()) {
            for (QpState to : QpState.values()) {
                boolean legal = to == QpState.RESET
                        || to == QpState.ERR
                        || LEGAL.getOrDefault(from, Set.of()).contains(to);
                cases.add(
                        QpStates.label(from) + "-to-" + QpStates.label(to),
                        legal
                                ? "a legal move is made (IBA 10.3.1); any state may go to RESET and ERR"
                                : "an illegal move: EINVAL, and nothing changes (ibv_modify_qp)",
                        rig -> moves(opener.open(rig), from, to, legal));
            }
        }
        cases.add(
                "local-error-flushes-sends-behind-it",
                "a failed send: SQE, and the requests behind it flush in order (IBA 10.3.1)",
                rig -> flushesBehind(opener.open(rig)));
        cases.add(
                "posts-in-sqe-flush",
                "requests posted in SQE flush (IBA 10.3.1)",
                rig -> flushesPosts(opener.open(rig)));
        cases.add(
                "receives-stay-in-sqe",
                "in SQE receives are neither flushed nor refused (IBA 10.3.1)",
                rig -> receivesStay(opener.open(rig)));
        cases.add(
                "sqe-to-rts-sends-again",
                "SQE to RTS: the send queue works again (ibv_modify_qp)",
                rig -> sendsAgain(opener.open(rig)));
        cases.add(
                "sqe-raises-no-event",
                "a move to SQE is no asynchronous event: choice",
                rig -> raisesNothing(opener.open(rig)));
    }

    private static UnreliableSide<?> in(UnreliableSide<?> side, QpState state) throws VerbsException {
        if (state == QpState.RESET) {
            return side;
        }
        side.toInit();
        if (state == QpState.INIT) {
            return side;
        }
        side.toRtr();
        if (state == QpState.RTR) {
            return side;
        }
        side.toRts();
        if (state == QpState.SQE) {
            side.enterSqe();
        } else if (state != QpState.RTS) {
            side.to(state);
        }
        return side;
    }

    private static void move(UnreliableSide<?> side, QpState from, QpState to) throws VerbsException {
        if (from == QpState.RESET && to == QpState.INIT) {
            side.toInit();
        } else if (from == QpState.INIT && to == QpState.RTR) {
            side.toRtr();
        } else if (from == QpState.RTR && to == QpState.RTS) {
            side.toRts();
        } else {
            side.to(to);
        }
    }

    private static void moves(UnreliableSide<?> side, QpState from, QpState to, boolean legal) throws VerbsException {
        in(side, from).expectState(from);
        QpAttributes before = side.qp().query();

        if (legal) {
            move(side, from, to);
            side.expectState(to);
        } else {
            Expect.refused(VerbsStatus.EINVAL, from + " to " + to, () -> side.to(to));
            Expect.equal(before, side.qp().query(), "attributes after a refused move");
        }
    }

    private static void flushesBehind(UnreliableSide<?> side) throws VerbsException {
        in(side, QpState.RTS);

        side.post(side.harmless(1), side.failing(2), side.harmless(3), side.failing(4));

        side.sent(1, VerbsStatus.SUCCESS);
        side.sent(2, VerbsStatus.LOC_PROT_ERR);
        side.sent(3, VerbsStatus.WR_FLUSH_ERR);
        side.sent(4, VerbsStatus.WR_FLUSH_ERR);
        side.expectState(QpState.SQE);
    }

    private static void flushesPosts(UnreliableSide<?> side) throws VerbsException {
        in(side, QpState.SQE);

        side.post(side.harmless(1));
        side.post(side.failing(2), side.harmless(3));

        for (int wrId = 1; wrId <= 3; wrId++) {
            side.sent(wrId, VerbsStatus.WR_FLUSH_ERR);
        }
    }

    private static void receivesStay(UnreliableSide<?> side) throws VerbsException {
        in(side, QpState.RTS);
        side.receive(1, side.sge(0, 64));
        side.enterSqe();
        side.receive(2, side.sge(0, 64));

        side.post(side.harmless(3));
        side.sent(3, VerbsStatus.WR_FLUSH_ERR);

        side.receives().pollsEmpty();
        side.ends(1, 2);
    }

    private static void sendsAgain(UnreliableSide<?> side) throws VerbsException {
        in(side, QpState.SQE);

        side.to(QpState.RTS);

        side.post(side.harmless(1));
        side.sent(1, VerbsStatus.SUCCESS);
        side.enterSqe();
    }

    private static void raisesNothing(UnreliableSide<?> side) throws VerbsException {
        in(side, QpState.SQE);

        side.noMoreEvents();
    }
}
