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
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.List;

/** Asynchronous events: who gets which, and who gets none. */
@CaseGroup("async")
public final class AsyncCases {
    private AsyncCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        cases.add(
                "access-error-at-responder-only",
                "QP_ACCESS_ERR goes to the responder's context, once (ibv_get_async_event)",
                rig -> responderOnly(rig, true));
        cases.add(
                "request-error-at-responder-only",
                "QP_REQ_ERR goes to the responder's context, once (ibv_get_async_event)",
                rig -> responderOnly(rig, false));
    }

    @Case("waiting without an event ends after its timeout, empty")
    static void awaitTimesOut(Rig rig) throws VerbsException {
        Context context = rig.context();

        Expect.isTrue(context.awaitAsyncEvent(Duration.ZERO).isEmpty(), "an event out of nothing");
        Expect.isTrue(context.awaitAsyncEvent(Duration.ofMillis(2)).isEmpty(), "an event out of nothing");
    }

    private static void badWrite(Rig.Pair pair) {
        Side requester = pair.requester();
        requester.post(Operation.WRITE.request(1, pair.responder().at(0), 0, List.of(requester.sge(0, 8))));
        requester.sent(1, VerbsStatus.REM_ACCESS_ERR);
    }

    private static void responderOnly(Rig rig, boolean access) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();

        if (access) {
            badWrite(pair);
            responder.event(AsyncEvent.Type.QP_ACCESS_ERR);
        } else {
            requester.post(Operation.FETCH_AND_ADD.request(1, responder, 1, requester.sge(0, 8)));
            requester.sent(1, VerbsStatus.REM_INV_REQ_ERR);
            responder.event(AsyncEvent.Type.QP_REQ_ERR);
        }

        requester.noMoreEvents();
        responder.noMoreEvents();
    }

    @Case("a local error raises no event on either side")
    static void localErrorNone(Side requester, Side responder) throws VerbsException {
        requester.post(Operation.SEND.request(1, new Sge(requester.at(0), 8, 0)));
        requester.sent(1, VerbsStatus.LOC_PROT_ERR);

        requester.noMoreEvents();
        responder.noMoreEvents();
    }

    @Case("ibv_modify_qp to ERR raises no event on either side")
    static void moveToErrNone(Side requester, Side responder) throws VerbsException {
        requester.to(QpState.ERR);

        requester.noMoreEvents();
        responder.noMoreEvents();
    }

    @Case("RETRY_EXC_ERR and RNR_RETRY_EXC_ERR raise no event: choice")
    static void retriesExhaustedNone(Rig rig) throws VerbsException {
        Rig.Pair silent = rig.pair(SideOptions.impatient());
        Rig.Pair unready = rig.pair(SideOptions.impatient());
        silent.responder().to(QpState.RESET);

        silent.requester().post(Operation.WRITE.request(1));
        unready.requester().post(Operation.SEND.request(2));

        silent.requester().sent(1, VerbsStatus.RETRY_EXC_ERR);
        unready.requester().sent(2, VerbsStatus.RNR_RETRY_EXC_ERR);
        silent.requester().noMoreEvents();
        unready.requester().noMoreEvents();
        unready.responder().noMoreEvents();
    }

    @Case("RTS to SQD with notification: SQ_DRAINED when it is (IBA 10.3.1.5)")
    static void sendQueueDrained(Rig rig) throws VerbsException {
        SideOptions large = SideOptions.standard().withBufferBytes(1 << 20);
        Rig.Pair pair = rig.pair(large);
        Side requester = pair.requester();
        for (int i = 0; i < 4; i++) {
            requester.post(Operation.WRITE.request(i, pair.responder(), 0, requester.sge(0, 1 << 20)));
        }

        requester.qp().modify(QpAttributes.to(QpState.SQD).with(QpAttribute.EN_SQD_ASYNC_NOTIFY, 1));

        requester.event(AsyncEvent.Type.SQ_DRAINED);
        requester.expectState(QpState.SQD);
        requester.to(QpState.RTS);
        for (int i = 0; i < 4; i++) {
            requester.sent(i, VerbsStatus.SUCCESS);
        }
        requester.noMoreEvents();
    }

    @Case("RTS to SQD without notification raises no event (ibv_modify_qp)")
    static void sendQueueDrainedUnasked(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();

        pair.requester().to(QpState.SQD);
        pair.requester().to(QpState.RTS);

        Transfers.writes(pair, 64);
        pair.requester().noMoreEvents();
    }

    @Case("each event names the queue pair it happened to, in order")
    static void oneContextManyQueuePairs(Rig rig) throws VerbsException {
        Rig.Pair first = rig.pair();
        Side requester = rig.side(first.requester().context(), SideOptions.standard());
        Side responder = rig.side(first.responder().context(), SideOptions.standard());
        Rig.Pair second = rig.connect(requester, responder);

        badWrite(second);
        badWrite(first);

        second.responder().event(AsyncEvent.Type.QP_ACCESS_ERR);
        first.responder().event(AsyncEvent.Type.QP_ACCESS_ERR);
    }

    @Case("a context with events nobody took can be closed")
    static void eventsOutliveTheirQueuePair(Rig rig) throws VerbsException {
        for (int i = 0; i < 5; i++) {
            badWrite(rig.pair());
        }
    }
}
