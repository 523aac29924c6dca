package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Mistakes that other implementations have made and no other group has a case for. The list of all
 * of them is {@code HistoricMistakes} among the tests.
 */
@CaseGroup("history")
public final class HistoryCases {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    private static final int ROUNDS = 25;
    private static final int DEPTH = 16;
    private static final int FOR_EVER = 7;
    private static final int MANY_REGIONS = 300;

    private HistoryCases() {}

    @Case("moved to ERR amid atomics, as many were executed as completed well")
    static void nothingExecutedAgainWhileGoingToErr(Rig rig, Side requester, Side responder) throws VerbsException {
        long expected = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<SendWorkRequest> adds = new ArrayList<>();
            for (int i = 0; i < DEPTH; i++) {
                adds.add(new SendWorkRequest.FetchAndAdd(
                        i,
                        SendFlags.SIGNALLED,
                        List.of(requester.sge(0, 8)),
                        responder.at(64),
                        responder.region().rkey(),
                        1));
            }
            requester.post(adds.toArray(SendWorkRequest[]::new));
            requester.to(QpState.ERR);
            for (var completion : requester.sends().next(DEPTH)) {
                expected += completion.status() == VerbsStatus.SUCCESS ? 1 : 0;
            }
            requester.sends().pollsEmpty();
            Expect.equal(expected, responder.buffer().get(WORD, 64), "atomics executed");
            requester.to(QpState.RESET);
            responder.to(QpState.RESET);
            rig.connect(requester, responder);
        }
    }

    @Case("an atomic repeated to a silent peer is applied once and answered once")
    static void atomicTriedAgainAppliedOnce(Rig rig) throws VerbsException {
        SideOptions patient =
                SideOptions.standard().with(QpAttribute.TIMEOUT, 4).with(QpAttribute.RETRY_CNT, FOR_EVER);
        Side requester = rig.side(patient);
        Side responder = rig.side(patient);
        requester.connect(responder.endpoint());
        requester.post(Operation.FETCH_AND_ADD.request(1, responder, 64, requester.sge(0, 8)));
        responder.toInit();
        requester.sends().pollsEmpty();

        responder.toRtr(requester.endpoint());
        requester.sent(1, VerbsStatus.SUCCESS);

        Expect.equal(Operation.ADDEND, responder.buffer().get(WORD, 64), "the peer's word");
        Expect.equal(0L, requester.buffer().get(WORD, 0), "the word before");
        requester.noMoreSends();
        Expect.equal(Operation.ADDEND, responder.buffer().get(WORD, 64), "the peer's word");
    }

    @Case("a queue may be armed again before its event is acknowledged or polled")
    static void armedAgainInTheCallback(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard().withChannel());
        Side requester = pair.requester();
        Side responder = pair.responder();
        CompletionQueue cq = requester.sendCq();
        for (int i = 1; i <= 3; i++) {
            Expect.equal(VerbsStatus.SUCCESS, cq.arm(false), "arming");
            requester.post(Operation.WRITE.request(i, responder, 0, requester.sge(0, 8)));
            Expect.equal(cq, event(requester), "queue of the event");
            // In the middle of the callback: not polled, not acknowledged, and armed already.
            Expect.equal(VerbsStatus.SUCCESS, cq.arm(false), "arming in the callback");
            requester.sent(i, VerbsStatus.SUCCESS);
            requester.channel().acknowledge(cq, 1);
            Expect.equal(cq, event(requester), "queue of the event for what was not polled");
            requester.channel().acknowledge(cq, 1);
        }
    }

    private static CompletionQueue event(Side side) throws VerbsException {
        return side.channel().await(Side.PATIENCE).orElseThrow(() -> new AssertionError("no completion event"));
    }

    @Case("no region that is registered later gets the key of a live window")
    static void keysOfWindowsAndRegionsDiffer(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard());
        var window = rig.closing(side.pd().allocateWindow(io.hyperverbs.verbs.MemoryWindow.Type.TWO));
        for (int i = 0; i < MANY_REGIONS; i++) {
            var region =
                    side.pd().register(side.buffer(), SideOptions.standard().regionAccess());
            Expect.isTrue(
                    region.rkey() >>> 8 != window.rkey() >>> 8 && region.lkey() >>> 8 != window.rkey() >>> 8,
                    "a region has the key index of a window: " + region.rkey());
            region.close();
        }
    }
}
