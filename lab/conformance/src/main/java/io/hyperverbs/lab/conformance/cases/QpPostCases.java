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
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.EnumSet;
import java.util.List;

/** What becomes of a post in each state. */
@CaseGroup("qp-states")
public final class QpPostCases {
    private QpPostCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (QpState state : QpStates.REACHABLE) {
            cases.add(
                    "post-send-in-" + QpStates.label(state),
                    "before RTS: EINVAL, choice; in RTS done, in SQD held, in ERR flushed (ibv_post_send)",
                    rig -> postSend(rig, state));
            cases.add(
                    "post-receive-in-" + QpStates.label(state),
                    "in RESET: EINVAL; from INIT on accepted; in ERR flushed (ibv_post_recv)",
                    rig -> postReceive(rig, state));
        }
    }

    private static void postSend(Rig rig, QpState state) throws VerbsException {
        Side side = QpStates.in(rig, state);
        boolean accepted = EnumSet.of(QpState.RTS, QpState.SQD, QpState.ERR).contains(state);

        VerbsStatus found = side.qp().postSend(Operation.WRITE.request(1));

        Expect.equal(accepted ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL, found, "post_send");
        if (state == QpState.RTS) {
            side.sent(1, VerbsStatus.SUCCESS);
        } else if (accepted) {
            side.to(QpState.ERR);
            side.sent(1, VerbsStatus.WR_FLUSH_ERR);
        }
        if (!accepted && state != QpState.RESET) {
            side.to(QpState.ERR);
        }
        if (state != QpState.RESET) {
            side.noMoreSends();
        }
    }

    private static void postReceive(Rig rig, QpState state) throws VerbsException {
        Side side = QpStates.in(rig, state);
        boolean accepted = state != QpState.RESET;

        VerbsStatus found = side.qp().postReceive(new ReceiveWorkRequest(1, List.of()));

        Expect.equal(accepted ? VerbsStatus.SUCCESS : VerbsStatus.EINVAL, found, "post_recv");
        if (accepted) {
            side.ends(1);
        }
    }

    @Case("a send refused before RTS is not sent after RTS: choice")
    static void refusedPostsLeaveNoTrace(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard());
        refusesSend(side);
        side.toInit();
        refusesSend(side);
        side.toRtr(side.endpoint());
        refusesSend(side);

        side.toRts();

        side.noMoreSends();
    }

    private static void refusesSend(Side side) {
        VerbsStatus found = side.qp().postSend(Operation.WRITE.request(1));
        Expect.equal(VerbsStatus.EINVAL, found, "post_send before RTS");
    }

    @Case("a receive posted in INIT takes the first message (IBA 10.3.1)")
    static void receivesOfInitCount(Rig rig) throws VerbsException {
        Side requester = rig.side(SideOptions.standard());
        Side responder = rig.side(SideOptions.standard());
        responder.toInit();
        responder.receive(5, responder.sge(0, 64));
        responder.toRtr(requester.endpoint());
        responder.toRts();
        requester.connect(responder.endpoint());

        requester.post(Operation.SEND.request(1, requester.sge(0, 64)));

        requester.sent(1, VerbsStatus.SUCCESS);
        responder.received(5, VerbsStatus.SUCCESS);
    }

    @Case("a queue pair in RTR answers its peer (IBA 10.3.1)")
    static void rtrReceives(Rig rig) throws VerbsException {
        Side requester = rig.side(SideOptions.standard());
        Side responder = rig.side(SideOptions.standard());
        responder.toInit();
        responder.toRtr(requester.endpoint());
        requester.connect(responder.endpoint());

        Transfers.sends(requester, responder, 64);
        Transfers.writes(new Rig.Pair(requester, responder), 64);

        responder.expectState(QpState.RTR);
        responder.toRts();
        Transfers.sends(responder, requester, 64);
    }

    @Case("sends posted in SQD wait for RTS, then go in order (IBA 10.3.1.5)")
    static void sqdHoldsAndResumes(Rig rig) throws VerbsException {
        Rig.Pair held = rig.pair();
        Rig.Pair other = rig.pair();
        Side requester = held.requester();
        requester.to(QpState.SQD);
        held.responder().receive(5, held.responder().sge(0, 64));
        held.responder().receive(6, held.responder().sge(0, 64));

        requester.post(Operation.SEND.request(1, requester.sge(0, 8)));
        requester.post(Operation.SEND.request(2, requester.sge(0, 16)));
        // The device is seen to work on later posts while these two wait.
        for (int i = 0; i < 10; i++) {
            Transfers.writes(other, 64);
        }
        requester.sends().pollsEmpty();
        held.responder().receives().pollsEmpty();
        requester.to(QpState.RTS);

        requester.sent(1, VerbsStatus.SUCCESS);
        requester.sent(2, VerbsStatus.SUCCESS);
        Expect.equal(8, held.responder().received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
        Expect.equal(16, held.responder().received(6, VerbsStatus.SUCCESS).byteCount(), "bytes");
        requester.noMoreSends();
    }

    @Case("a queue pair in SQD answers its peer (IBA 10.3.1.5)")
    static void sqdStillReceives(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();

        pair.responder().to(QpState.SQD);

        Transfers.sends(pair, 64);
        Transfers.writes(pair, 64);
    }

    @Case("RESET drops what was posted, without completions (IBA 10.3.1.1)")
    static void resetForgetsReceives(Rig rig) throws VerbsException {
        SideOptions options = SideOptions.impatient();
        Rig.Pair pair = rig.pair(options);
        Side requester = pair.requester();
        Side responder = pair.responder();
        responder.receive(5, responder.sge(0, 64));
        responder.receive(6, responder.sge(0, 64));

        responder.to(QpState.RESET);
        requester.to(QpState.RESET);
        rig.connect(requester, responder);
        responder.receive(7, responder.sge(0, 64));
        requester.post(Operation.SEND.request(1, requester.sge(0, 64)));

        requester.sent(1, VerbsStatus.SUCCESS);
        responder.received(7, VerbsStatus.SUCCESS);
        responder.ends();
    }

    @Case("a queue pair works again after ERR and RESET, any number of times")
    static void resetAndAgain(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        for (int round = 0; round < 4; round++) {
            // More posts than slots between two resets, and an odd number of them.
            for (int i = 0; i < 19 + round; i++) {
                Transfers.sends(pair, 32);
            }
            pair.requester().ends();
            pair.responder().ends();
            pair.requester().to(QpState.RESET);
            pair.responder().to(QpState.RESET);
            rig.connect(pair.requester(), pair.responder());
        }
        Transfers.sends(pair, 32);
    }
}
