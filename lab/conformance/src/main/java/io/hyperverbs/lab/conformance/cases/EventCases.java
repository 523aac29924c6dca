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
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Asynchronous events operation by operation, and their acknowledgement. */
@CaseGroup("async")
public final class EventCases {
    private static final int BAD_KEY = 0x1357_9bdf;

    private EventCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.remote()) {
            cases.add(
                    operation.label() + "-with-bad-rkey",
                    "a refused key: QP_ACCESS_ERR at the responder, once (ibv_get_async_event)",
                    rig -> badKey(rig, operation));
            cases.add(
                    operation.label() + "-not-enabled",
                    "an operation that the responder's QP does not allow: QP_REQ_ERR there, once (ibv_get_async_event)",
                    rig -> notEnabled(rig, operation));
        }
    }

    private static void badKey(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        if (operation.consumesReceive()) {
            responder.receive(5, responder.sge(0, 8));
        }

        Transfers.post(operation, requester, 1, responder.at(0), BAD_KEY, requester.sge(0, 8));

        requester.sent(1, VerbsStatus.REM_ACCESS_ERR);
        responder.event(AsyncEvent.Type.QP_ACCESS_ERR);
        responder.expectState(QpState.ERR);
        responder.noMoreEvents();
        requester.noMoreEvents();
    }

    private static void notEnabled(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard(), SideOptions.standard().withQpAccess(Set.of()));
        Side requester = pair.requester();
        Side responder = pair.responder();

        requester.post(operation.request(1, responder, 0, requester.sge(0, 8)));

        requester.sent(1, VerbsStatus.REM_INV_REQ_ERR);
        responder.event(AsyncEvent.Type.QP_REQ_ERR);
        responder.noMoreEvents();
        requester.noMoreEvents();
    }

    @Case("the first request that comes in RTR raises COMM_EST, later ones do not")
    static void establishedOnce(Rig rig) throws VerbsException {
        Side requester = rig.side(SideOptions.standard());
        Side responder = rig.side(SideOptions.standard());
        responder.toInit();
        responder.toRtr(requester.endpoint());
        requester.connect(responder.endpoint());
        Rig.Pair pair = new Rig.Pair(requester, responder);

        Transfers.writes(pair, 8);
        Transfers.writes(pair, 8);

        responder.event(AsyncEvent.Type.COMM_EST);
        responder.noMoreEvents();
        requester.noMoreEvents();
    }

    @Case("no COMM_EST for a queue pair that was in RTS first")
    static void establishedNotInRts(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();

        Transfers.sends(pair, 8);

        pair.responder().noMoreEvents();
    }

    private static void drain(Side side) throws VerbsException {
        side.qp().modify(QpAttributes.to(QpState.SQD).with(QpAttribute.EN_SQD_ASYNC_NOTIFY, 1));
    }

    @Case("every move to SQD with notification raises SQ_DRAINED, once")
    static void drainedAtEachMove(Side side) throws VerbsException {
        for (int i = 0; i < 3; i++) {
            drain(side);
            side.event(AsyncEvent.Type.SQ_DRAINED);
            side.to(QpState.RTS);
        }
        side.noMoreEvents();
    }

    private static AsyncEvent take(Side side) throws VerbsException {
        return side.context()
                .getAsyncEvent(Side.PATIENCE)
                .orElseThrow(() -> new AssertionError(side + ": no asynchronous event came"));
    }

    @Case("an event taken and acknowledged keeps nobody from destroying its object (ibv_ack_async_event)")
    static void acknowledgedEvent(Side side) throws VerbsException {
        drain(side);
        AsyncEvent event = take(side);

        side.context().acknowledge(event);

        Expect.equal(new AsyncEvent(AsyncEvent.Type.SQ_DRAINED, side.qp().qpn()), event, "event");
        side.qp().close();
    }

    @Case("destroying a queue pair waits until its event is acknowledged (ibv_ack_async_event)")
    static void closeWaitsForAcknowledgement(Side side) throws VerbsException {
        drain(side);
        AsyncEvent event = take(side);
        AtomicBoolean closed = new AtomicBoolean();
        Thread closer = Thread.ofPlatform().daemon().start(() -> {
            try {
                side.qp().close();
                closed.set(true);
            } catch (VerbsException e) {
                // Seen below: it is not closed.
            }
        });
        // A control verb of another object returns while the destruction waits.
        side.context().queryPort(1);
        Expect.isTrue(!closed.get(), "the queue pair was destroyed before the acknowledgement");

        side.context().acknowledge(event);

        join(closer);
        Expect.isTrue(closed.get(), "the queue pair was not destroyed after the acknowledgement");
    }

    private static void join(Thread thread) {
        try {
            thread.join(Side.PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Case("awaitAsyncEvent acknowledges what it returns: choice")
    static void awaitAcknowledges(Side side) throws VerbsException {
        drain(side);
        AsyncEvent event = side.nextEvent();

        side.qp().close();

        expectNotAcknowledgeable(side, event);
    }

    private static void expectNotAcknowledgeable(Side side, AsyncEvent event) {
        try {
            side.context().acknowledge(event);
        } catch (IllegalArgumentException expected) {
            return;
        }
        throw new AssertionError(event + " was acknowledged once too often");
    }

    @Case("an event that is not unacknowledged cannot be acknowledged")
    static void acknowledgedTwice(Side side) throws VerbsException {
        drain(side);
        AsyncEvent event = take(side);
        side.context().acknowledge(event);

        expectNotAcknowledgeable(side, event);
        expectNotAcknowledgeable(side, new AsyncEvent(AsyncEvent.Type.QP_FATAL, 2));
    }

    @Case("events of a destroyed queue pair that nobody took are not delivered")
    static void goneWithTheQueuePair(Rig rig, Side gone) throws VerbsException {
        Side stays = rig.side(gone.context(), SideOptions.standard());
        QpStates.walk(stays, QpState.RTS);
        drain(gone);
        gone.qp().close();

        drain(stays);

        stays.event(AsyncEvent.Type.SQ_DRAINED);
        Expect.isTrue(stays.context().awaitAsyncEvent(Duration.ZERO).isEmpty(), "one event too many");
    }

    @Case("destroying a queue pair does not wait for another's events")
    static void othersNotWaitedFor(Rig rig, Side first) throws VerbsException {
        Side second = rig.side(first.context(), SideOptions.standard());
        drain(first);
        AsyncEvent event = take(first);

        second.qp().close();

        first.context().acknowledge(event);
    }
}
