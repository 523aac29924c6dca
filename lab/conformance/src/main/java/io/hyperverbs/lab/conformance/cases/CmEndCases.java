package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.CmPair;
import io.hyperverbs.lab.conformance.rig.CmSide;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.RejectReason;
import java.time.Duration;

/** Connections that fail, end, or come back: timeouts, disconnects, time wait. */
@CaseGroup("cm")
public final class CmEndCases {
    private CmEndCases() {}

    private static void bothDisconnect(CmPair ends) throws VerbsException {
        ends.out().disconnect(PrivateData.none());
        var _ = ends.callee().next(CmEvent.Type.DISCONNECTED);
        ends.in().disconnect(PrivateData.none());
        var _ = ends.caller().next(CmEvent.Type.DISCONNECTED);
        ends.caller().side().to(QpState.RESET);
        ends.callee().side().to(QpState.RESET);
    }

    @Case("no REP in time: UNREACHABLE, ETIMEDOUT; the callee is told")
    static void requestTimesOut(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);
        var _ = caller.calls(CmPair.standard().withResponseTimeout(Duration.ofMillis(500)));
        CmConnection in = callee.called();

        CmEvent event = caller.next(CmEvent.Type.UNREACHABLE);

        Expect.equal(VerbsStatus.ETIMEDOUT, event.status(), "status");
        var _ = callee.rejected(RejectReason.TIMEOUT);
        Expect.refused(
                VerbsStatus.EINVAL,
                "accepting too late",
                () -> in.accept(callee.side().qp(), CmPair.standard()));
    }

    @Case("no RTU in time: UNREACHABLE at the callee, REJ timeout at the caller")
    static void replyTimesOut(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);
        CmConnection out = caller.calls(CmPair.manual());
        var _ = callee.accepts(CmPair.standard().withResponseTimeout(Duration.ofMillis(200)));
        var _ = caller.next(CmEvent.Type.CONNECT_RESPONSE);

        CmEvent event = callee.next(CmEvent.Type.UNREACHABLE);

        Expect.equal(VerbsStatus.ETIMEDOUT, event.status(), "status");
        var _ = caller.rejected(RejectReason.TIMEOUT);
        Expect.refused(VerbsStatus.EINVAL, "establishing too late", () -> out.establish(PrivateData.none()));
    }

    @Case("the caller closes before the answer: the callee is told (IBA 12.9.7)")
    static void requestWithdrawn(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);
        CmConnection out = caller.calls();
        var _ = callee.next(CmEvent.Type.CONNECT_REQUEST);

        out.close();

        var _ = callee.rejected(RejectReason.TIMEOUT);
    }

    @Case("a call withdrawn before it was read is never seen: choice")
    static void requestWithdrawnUnread(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);
        CmConnection out = caller.calls();

        out.close();

        callee.noEvent();
        var _ = caller.calls();
        var _ = callee.next(CmEvent.Type.CONNECT_REQUEST);
    }

    @Case("DREQ and DREP: both DISCONNECTED, queue pairs in ERR (rdma_disconnect)")
    static void disconnectBoth(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(rig);

        ends.out().disconnect(PrivateData.none());
        Expect.equal(
                VerbsStatus.SUCCESS,
                ends.callee().next(CmEvent.Type.DISCONNECTED).status(),
                "status");
        ends.in().disconnect(PrivateData.none());

        Expect.equal(
                VerbsStatus.SUCCESS,
                ends.caller().next(CmEvent.Type.DISCONNECTED).status(),
                "status");
        ends.caller().side().expectState(QpState.ERR);
        ends.callee().side().expectState(QpState.ERR);
    }

    @Case("both disconnect without having heard of the other: both succeed")
    static void disconnectAtOnce(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(rig);

        ends.out().disconnect(PrivateData.none());
        ends.in().disconnect(PrivateData.none());

        var _ = ends.caller().next(CmEvent.Type.DISCONNECTED);
        var _ = ends.callee().next(CmEvent.Type.DISCONNECTED);
    }

    @Case("no DREP in time: DISCONNECTED with ETIMEDOUT")
    static void disconnectNotAnswered(Rig rig) throws VerbsException {
        CmPair ends =
                CmPair.connect(rig, CmPair.standard().withResponseTimeout(Duration.ofMillis(500)), CmPair.standard());

        ends.out().disconnect(PrivateData.none());

        Expect.equal(
                VerbsStatus.ETIMEDOUT,
                ends.caller().next(CmEvent.Type.DISCONNECTED).status(),
                "status");
        var _ = ends.callee().next(CmEvent.Type.DISCONNECTED);
    }

    @Case("closing one end disconnects the other (rdma_destroy_id)")
    static void closeDisconnects(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(rig);

        ends.out().close();

        var _ = ends.callee().next(CmEvent.Type.DISCONNECTED);
        ends.in().disconnect(PrivateData.none());
    }

    @Case("a call that nobody took is rejected when the channel goes: choice")
    static void closeChannelRejectsUntaken(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide first = CmSide.open(rig);
        CmSide second = CmSide.open(rig);
        CmListener listener = callee.listen(CmPair.SERVICE, 2);
        var _ = first.calls();
        var _ = second.calls();
        // Both events are there: whoever takes the first may have fetched the second as well.
        callee.called().close();
        var _ = first.rejected(RejectReason.CONSUMER_DEFINED);

        listener.close();
        callee.channel().close();

        var _ = second.next(CmEvent.Type.REJECTED);
    }

    @Case("after the time wait TIMEWAIT_EXIT, and the queue pair connects again")
    static void timewaitEnds(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(rig);
        bothDisconnect(ends);

        var _ = ends.caller().next(CmEvent.Type.TIMEWAIT_EXIT);
        var _ = ends.callee().next(CmEvent.Type.TIMEWAIT_EXIT);

        var _ = CmPair.connect(ends.caller(), ends.callee(), CmPair.standard(), CmPair.standard());
        CmPair.carries(ends.caller(), ends.callee());
    }

    @Case("a queue pair in time wait calls again: REJ, stale connection (IBA 12.9.8.3.1)")
    static void staleInTimewait(Rig rig) throws VerbsException {
        CmParameters slow = CmPair.standard().withRetries(6, 7, 17);
        CmPair ends = CmPair.connect(rig, slow, slow);
        bothDisconnect(ends);

        var _ = ends.caller().calls();

        var _ = ends.caller().rejected(RejectReason.STALE_CONN);
    }

    @Case("a second call of a connected queue pair: REJ, stale; the old connection ends (IBA 12.9.8.3.1)")
    static void staleWhileEstablished(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(rig);
        CmConnection again = ends.caller().resolve();

        again.connect(ends.caller().side().qp(), CmPair.SERVICE, CmPair.manual());

        CmEvent old = ends.caller().next(CmEvent.Type.DISCONNECTED);
        Expect.isTrue(old.connection().equals(ends.out()), "the old connection is not the one that ended");
        var _ = ends.caller().rejected(RejectReason.STALE_CONN);
        var _ = ends.callee().next(CmEvent.Type.DISCONNECTED);
    }

    @Case("events of one connection come in the order in which they happened")
    static void eventsInOrder(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);
        CmConnection out = caller.calls();
        var _ = callee.accepts(CmPair.standard());
        var _ = caller.next(CmEvent.Type.ESTABLISHED);

        out.disconnect(PrivateData.none());

        var _ = callee.next(CmEvent.Type.ESTABLISHED);
        var _ = callee.next(CmEvent.Type.DISCONNECTED);
        callee.noEvent();
    }

    @Case("waiting with no event: empty after the timeout")
    static void awaitWithoutEvents(Rig rig) throws VerbsException {
        CmSide side = CmSide.open(rig);

        Expect.isTrue(side.channel().await(Duration.ofMillis(1)).isEmpty(), "an event out of nowhere");
        side.noEvent();
    }
}
