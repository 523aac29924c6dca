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
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** Completion queues that tell of several completions with one event. */
@CaseGroup("cq")
public final class CqModerationCases {
    private CqModerationCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        int beyond = CompletionQueue.MAX_MODERATION + 1;
        for (int[] bad : new int[][] {{-1, 0}, {0, -1}, {beyond, 0}, {0, beyond}}) {
            cases.add(
                    "moderation-refuses-" + bad[0] + "-" + bad[1],
                    "a count or a period out of range: EINVAL, and nothing changes (ibv_modify_cq)",
                    rig -> refuses(rig, bad[0], bad[1]));
        }
        for (int count : new int[] {2, 3, 8}) {
            cases.add(
                    "moderation-of-" + count,
                    "an armed CQ gives its event with the completion that fills the count, not before (ibv_modify_cq)",
                    rig -> byCount(rig, count));
            cases.add(
                    "moderation-of-" + count + "-counts-unpolled",
                    "completions not yet polled when the CQ is armed count: choice",
                    rig -> countsUnpolled(rig, count));
        }
        for (int micros : new int[] {1, 1000, 20_000}) {
            cases.add(
                    "moderation-for-" + micros + "-us",
                    "fewer completions than the count: the event comes when the period ends",
                    rig -> byPeriod(rig, micros));
        }
        cases.add(
                "moderation-off",
                "a count and a period of 0 moderate nothing: each completion gives the event",
                rig -> atOnce(rig, 0, 0));
        cases.add(
                "moderation-of-1",
                "a count of 1: each completion gives the event at once",
                rig -> atOnce(rig, 1, 50_000));
    }

    private static SendWorkRequest nothing(long wrId) {
        return Operation.WRITE.request(wrId);
    }

    private static Side armed(Rig rig, int count, int periodMicros) throws VerbsException {
        Side side = rig.pair(SideOptions.standard().withChannel()).requester();
        side.sendCq().moderate(count, periodMicros);
        arm(side.sendCq());
        return side;
    }

    private static void arm(CompletionQueue cq) {
        Expect.equal(VerbsStatus.SUCCESS, cq.arm(false), "arming");
    }

    private static void completes(Side side, long wrId) {
        side.post(nothing(wrId));
        side.sent(wrId, VerbsStatus.SUCCESS);
    }

    private static void event(Side side, CompletionQueue of) throws VerbsException {
        CompletionQueue found =
                side.channel().await(Side.PATIENCE).orElseThrow(() -> new AssertionError("no completion event came"));
        side.channel().acknowledge(found, 1);
        Expect.isTrue(found.equals(of), "the event is of " + found.describe() + ", must be of " + of.describe());
    }

    /** No event is there: the next one is of another queue, whose only completion comes now. */
    private static void noEvent(Rig rig, Side side) throws VerbsException {
        CompletionQueue marker = rig.closing(side.context().createCq(4, side.channel()));
        io.hyperverbs.verbs.RcQueuePair qp =
                rig.closing(side.pd().createRc(io.hyperverbs.verbs.QpLimits.of(4, 4), marker, marker));
        qp.connect(qp.endpoint(1, side.region()), 1, SideOptions.standard().qpAccess());
        arm(marker);
        Expect.equal(VerbsStatus.SUCCESS, qp.postSend(nothing(1)), "post");
        event(side, marker);
    }

    private static void refuses(Rig rig, int count, int periodMicros) throws VerbsException {
        Side side = armed(rig, 2, 0);
        CompletionQueue cq = side.sendCq();

        Expect.refused(
                VerbsStatus.EINVAL,
                count + " completions or " + periodMicros + " us",
                () -> cq.moderate(count, periodMicros));

        completes(side, 1);
        noEvent(rig, side);
        completes(side, 2);
        event(side, cq);
    }

    private static void byCount(Rig rig, int count) throws VerbsException {
        Side side = armed(rig, count, 0);
        for (int i = 1; i < count; i++) {
            completes(side, i);
        }
        noEvent(rig, side);

        completes(side, count);

        event(side, side.sendCq());
    }

    private static void countsUnpolled(Rig rig, int count) throws VerbsException {
        Side side = rig.pair(SideOptions.standard().withChannel()).requester();
        side.sendCq().moderate(count, 0);
        for (int i = 1; i < count; i++) {
            side.post(nothing(i));
        }
        arm(side.sendCq());
        side.post(nothing(count));

        event(side, side.sendCq());
    }

    private static void byPeriod(Rig rig, int micros) throws VerbsException {
        Side side = armed(rig, 100, micros);
        long startNanos = rig.nanoTime();

        completes(side, 1);
        event(side, side.sendCq());

        long microsWaited = (rig.nanoTime() - startNanos) / 1000;
        Expect.isTrue(
                microsWaited >= micros, "the event came after " + microsWaited + " us, must not before " + micros);
    }

    private static void atOnce(Rig rig, int count, int micros) throws VerbsException {
        Side side = armed(rig, count, micros);
        completes(side, 1);
        event(side, side.sendCq());
        arm(side.sendCq());
        completes(side, 2);
        event(side, side.sendCq());
    }

    @Case("a count of 0: the period alone decides")
    static void moderationByPeriodAlone(Rig rig) throws VerbsException {
        Side side = armed(rig, 0, 10_000);
        long startNanos = rig.nanoTime();
        for (int i = 0; i < 10; i++) {
            completes(side, i);
        }
        event(side, side.sendCq());
        Expect.isTrue(rig.nanoTime() - startNanos >= 10_000_000, "the event came before the period");
    }

    @Case("an event given by moderation disarms the CQ as any other")
    static void moderationIsOneShot(Rig rig) throws VerbsException {
        Side side = armed(rig, 2, 0);
        completes(side, 1);
        completes(side, 2);
        event(side, side.sendCq());

        for (int i = 3; i < 10; i++) {
            completes(side, i);
        }

        noEvent(rig, side);
    }

    @Case("an event that waits for its count is due when moderation ends: choice")
    static void moderationTurnedOffWhileWaiting(Rig rig) throws VerbsException {
        Side side = armed(rig, 100, 0);
        completes(side, 1);
        noEvent(rig, side);

        side.sendCq().moderate(0, 0);

        event(side, side.sendCq());
    }

    @Case("an event whose count is reached by a new count is due at once: choice")
    static void moderationLoweredWhileWaiting(Rig rig) throws VerbsException {
        Side side = armed(rig, 100, 0);
        for (int i = 0; i < 3; i++) {
            completes(side, i);
        }
        noEvent(rig, side);
        side.sendCq().moderate(4, 0);
        noEvent(rig, side);

        side.sendCq().moderate(3, 0);

        event(side, side.sendCq());
    }

    @Case("armed for solicited completions, others do not count")
    static void moderationOfSolicited(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard().withChannel());
        Side responder = pair.responder();
        CompletionQueue cq = responder.receiveCq();
        cq.moderate(2, 0);
        Expect.equal(VerbsStatus.SUCCESS, cq.arm(true), "arming");
        for (int i = 0; i < 3; i++) {
            message(pair, SendFlags.NONE);
        }
        message(pair, SendFlags.SOLICITED);
        message(pair, SendFlags.NONE);
        noEvent(rig, responder);

        message(pair, SendFlags.SOLICITED);

        event(responder, cq);
    }

    private static void message(Rig.Pair pair, int flags) {
        pair.responder().receive(5);
        pair.requester().post(Operation.SEND.request(1, flags | SendFlags.SIGNALLED, 0, 0, List.of()));
        pair.requester().sent(1, VerbsStatus.SUCCESS);
        pair.responder().received(5, VerbsStatus.SUCCESS);
    }

    @Case("a CQ that is not armed gives no event, whatever its moderation")
    static void moderationUnarmed(Rig rig) throws VerbsException {
        Side side = rig.pair(SideOptions.standard().withChannel()).requester();
        side.sendCq().moderate(2, 1);
        for (int i = 0; i < 5; i++) {
            completes(side, i);
        }
        noEvent(rig, side);
    }

    @Case("each arming counts from its own completions on")
    static void moderationCountsAnew(Rig rig) throws VerbsException {
        Side side = armed(rig, 3, 0);
        completes(side, 1);
        completes(side, 2);
        // Both are polled: they count no more.
        arm(side.sendCq());
        completes(side, 3);
        completes(side, 4);
        noEvent(rig, side);

        completes(side, 5);

        event(side, side.sendCq());
    }

    @Case("completions are polled at once, however their event waits")
    static void moderationDoesNotDelayCompletions(Rig rig) throws VerbsException {
        Side side = armed(rig, 100, CompletionQueue.MAX_MODERATION);
        long startNanos = rig.nanoTime();
        for (int i = 0; i < 5; i++) {
            completes(side, i);
        }
        long nanos = rig.nanoTime() - startNanos;
        event(side, side.sendCq());
        Expect.isTrue(
                rig.nanoTime() - startNanos > nanos
                        && rig.nanoTime() - startNanos >= CompletionQueue.MAX_MODERATION * 1000L,
                "the event came before its period");
    }

    @Case("a resized CQ keeps its moderation and what it has counted")
    static void moderationSurvivesResize(Rig rig) throws VerbsException {
        Side side = armed(rig, 3, 0);
        side.post(nothing(1), nothing(2));
        side.sent(1, VerbsStatus.SUCCESS);
        side.sendCq().resize(256);
        side.sent(2, VerbsStatus.SUCCESS);
        noEvent(rig, side);

        side.post(nothing(3));
        side.sent(3, VerbsStatus.SUCCESS);

        event(side, side.sendCq());
    }
}
