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
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Completion events. That none comes is shown by the send CQ of the same channel, armed and
 * completed afterwards: its event is the next one.
 */
@CaseGroup("channel")
public final class ChannelCases {
    private ChannelCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        cases.add(
                "event-on-completion",
                "an armed CQ gives one event at its next completion (ibv_req_notify_cq)",
                rig -> event(rig, false, SendFlags.NONE, true));
        cases.add(
                "solicited-only-solicited",
                "armed for solicited: a receive with the SE bit gives an event",
                rig -> event(rig, true, SendFlags.SOLICITED, true));
        cases.add(
                "solicited-only-unsolicited",
                "armed for solicited: a plain receive gives no event",
                rig -> event(rig, true, SendFlags.NONE, false));
    }

    private static Rig.Pair pair(Rig rig) throws VerbsException {
        return rig.pair(SideOptions.standard(), SideOptions.standard().withChannel());
    }

    static void arm(CompletionQueue cq, boolean solicitedOnly) {
        Expect.equal(VerbsStatus.SUCCESS, cq.arm(solicitedOnly), "arming");
    }

    static void expectEvent(Side side, CompletionQueue expected) throws VerbsException {
        CompletionQueue found =
                side.channel().await(Side.PATIENCE).orElseThrow(() -> new AssertionError("no completion event came"));
        side.channel().acknowledge(found, 1);
        Expect.isTrue(
                found.equals(expected), "the event is of " + found.describe() + ", must be of " + expected.describe());
    }

    /** No event is left: the next one is of the send CQ, armed and completed now. */
    private static void expectNoEvent(Side side) throws VerbsException {
        arm(side.sendCq(), false);
        side.noMoreSends();
        expectEvent(side, side.sendCq());
    }

    /** One message from the requester, its receive completed. */
    private static void message(Rig.Pair pair, int flags) {
        pair.responder().receive(5);
        pair.requester().post(Operation.SEND.request(1, flags | SendFlags.SIGNALLED, 0, 0, List.of()));
        pair.requester().sent(1, VerbsStatus.SUCCESS);
    }

    @Case("waiting without an event ends after its timeout, empty")
    static void awaitTimesOut(Rig rig) throws VerbsException {
        CompletionChannel channel = rig.closing(rig.context().createChannel());

        Expect.isTrue(channel.await(Duration.ZERO).isEmpty(), "an event out of nothing");
        Expect.isTrue(channel.await(Duration.ofMillis(2)).isEmpty(), "an event out of nothing");
    }

    private static void event(Rig rig, boolean solicitedOnly, int flags, boolean expected) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side responder = pair.responder();
        arm(responder.receiveCq(), solicitedOnly);

        message(pair, flags);

        if (expected) {
            expectEvent(responder, responder.receiveCq());
        }
        expectNoEvent(responder);
        responder.received(5, VerbsStatus.SUCCESS);
    }

    @Case("a CQ that was not armed gives no event (ibv_req_notify_cq)")
    static void noEventUnarmed(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);

        message(pair, SendFlags.SOLICITED);

        expectNoEvent(pair.responder());
    }

    @Case("arming is one-shot: more completions, no more events")
    static void oneShot(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side responder = pair.responder();
        arm(responder.receiveCq(), false);

        message(pair, SendFlags.NONE);
        message(pair, SendFlags.SOLICITED);
        message(pair, SendFlags.NONE);

        expectEvent(responder, responder.receiveCq());
        expectNoEvent(responder);
    }

    @Case("each arming gives one event")
    static void armingAgain(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side responder = pair.responder();
        for (int i = 0; i < 20; i++) {
            arm(responder.receiveCq(), i % 2 == 1);
            message(pair, SendFlags.SOLICITED);
            expectEvent(responder, responder.receiveCq());
            responder.received(5, VerbsStatus.SUCCESS);
        }
        expectNoEvent(responder);
    }

    @Case("armed for solicited: a completion in error gives an event")
    static void solicitedOnlyError(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side responder = pair.responder();
        responder.receive(5);
        arm(responder.receiveCq(), true);

        responder.to(QpState.ERR);

        expectEvent(responder, responder.receiveCq());
        responder.received(5, VerbsStatus.WR_FLUSH_ERR);
    }

    @Case("armed for any, then for solicited: any completion gives the event")
    static void anyNotNarrowed(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side responder = pair.responder();
        arm(responder.receiveCq(), false);
        arm(responder.receiveCq(), true);

        message(pair, SendFlags.NONE);

        expectEvent(responder, responder.receiveCq());
        expectNoEvent(responder);
    }

    @Case("armed for solicited, then for any: any completion gives the event")
    static void solicitedWidened(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side responder = pair.responder();
        arm(responder.receiveCq(), true);
        arm(responder.receiveCq(), false);

        message(pair, SendFlags.NONE);

        expectEvent(responder, responder.receiveCq());
        expectNoEvent(responder);
    }

    @Case("arming with a completion unpolled gives the event at once: choice")
    static void armedOverUnpolled(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side responder = pair.responder();
        message(pair, SendFlags.NONE);

        arm(responder.receiveCq(), false);

        expectEvent(responder, responder.receiveCq());
        responder.received(5, VerbsStatus.SUCCESS);
    }

    @Case("poll, arm, poll, wait never sleeps on a completion (ibv_get_cq_event)")
    static void nothingLostBetweenPollAndArm(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side responder = pair.responder();
        WorkCompletion[] one = {new WorkCompletion()};
        for (int i = 0; i < 200; i++) {
            responder.receive(i);
            pair.requester().post(Operation.SEND.request(i));
            while (responder.receiveCq().poll(one) == 0) {
                arm(responder.receiveCq(), false);
                if (responder.receiveCq().poll(one) == 1) {
                    break;
                }
                expectEvent(responder, responder.receiveCq());
            }
            Expect.equal((long) i, one[0].wrId(), "wr_id");
            pair.requester().sent(i, VerbsStatus.SUCCESS);
        }
    }

    @Case("CQs that share a channel are told apart (ibv_get_cq_event)")
    static void eventNamesItsQueue(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side responder = pair.responder();
        for (int i = 0; i < 10; i++) {
            arm(responder.sendCq(), false);
            arm(responder.receiveCq(), false);
            message(pair, SendFlags.NONE);
            expectEvent(responder, responder.receiveCq());
            responder.received(5, VerbsStatus.SUCCESS);
            responder.noMoreSends();
            expectEvent(responder, responder.sendCq());
        }
    }

    @Case("events may be acknowledged together (ibv_ack_cq_events)")
    static void acknowledgeManyAtOnce(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side responder = pair.responder();
        for (int i = 0; i < 5; i++) {
            arm(responder.receiveCq(), false);
            message(pair, SendFlags.NONE);
            Expect.isTrue(responder.channel().await(Side.PATIENCE).isPresent(), "event " + i + " missing");
            responder.received(5, VerbsStatus.SUCCESS);
        }

        responder.channel().acknowledge(responder.receiveCq(), 5);

        responder.qp().close();
        responder.receiveCq().close();
    }

    @Case("destroying a CQ waits for its unacknowledged events (ibv_destroy_cq)")
    static void closeWaitsForAcknowledgement(Rig rig) throws Exception {
        Rig.Pair pair = pair(rig);
        Rig.Pair other = rig.pair();
        Side responder = pair.responder();
        arm(responder.receiveCq(), false);
        message(pair, SendFlags.NONE);
        Expect.isTrue(responder.channel().await(Side.PATIENCE).isPresent(), "no event came");
        responder.qp().close();
        AtomicReference<String> failure = new AtomicReference<>("");
        Thread closing = new Thread(
                () -> {
                    try {
                        responder.receiveCq().close();
                    } catch (VerbsException e) {
                        failure.set(Expect.text(e));
                    }
                },
                "closing");
        closing.setDaemon(true);

        closing.start();
        try {
            // A close that did not wait would be over long before all of these.
            for (int i = 0; i < 200; i++) {
                Transfers.writes(other, 64);
                other.requester().state();
            }
            Expect.isTrue(closing.isAlive(), "the CQ was destroyed with an event unacknowledged");
        } finally {
            responder.channel().acknowledge(responder.receiveCq(), 1);
        }
        closing.join(Side.PATIENCE.toMillis());

        Expect.isTrue(!closing.isAlive(), "the CQ is not destroyed after the acknowledgement");
        Expect.equal("", failure.get(), "refusal of the close");
    }

    @Case("a channel with CQs: EBUSY naming them (ibv_destroy_comp_channel)")
    static void closeNamesCq(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard().withChannel());

        Expect.inUse(side.channel(), side.sendCq(), side.receiveCq());
    }
}
