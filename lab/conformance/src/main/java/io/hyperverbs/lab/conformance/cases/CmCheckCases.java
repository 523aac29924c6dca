package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.CmCall;
import io.hyperverbs.lab.conformance.rig.CmPair;
import io.hyperverbs.lab.conformance.rig.CmSide;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.Destination;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What the connection manager refuses, and that management queue pairs are out of reach. */
@CaseGroup("cm")
public final class CmCheckCases {
    private CmCheckCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        cases.add(
                "qp0-and-qp1-not-addressed",
                "QP0 and QP1 are not a guest's: EPERM (Liu 2006 §4.4)",
                CmCheckCases::managementPeers);
        cases.add(
                "resolve-unknown-guest",
                "nobody of that name: ENOENT",
                rig -> refusesResolve(rig, Destination.guest("nobody"), VerbsStatus.ENOENT));
        cases.add(
                "resolve-unknown-gid",
                "nobody of that GID: ENOENT",
                rig -> refusesResolve(rig, Destination.gid(new Gid(Gid.LINK_LOCAL_PREFIX, 99)), VerbsStatus.ENOENT));
        cases.add(
                "resolve-lid",
                "guests share a LID: it names none of them: EINVAL: choice",
                rig -> refusesResolve(rig, Destination.lid(1), VerbsStatus.EINVAL));
        cases.add("service-id-0", "a call to service id 0: EINVAL", rig -> refusesCall(rig, 0));
    }

    private static void refusesResolve(Rig rig, Destination to, VerbsStatus status) throws VerbsException {
        CmSide side = CmSide.open(rig);

        Expect.refused(status, "resolving " + to, () -> side.manager().resolve(side.channel(), to));
    }

    private static void refusesCall(Rig rig, long serviceId) throws VerbsException {
        CmSide side = CmSide.open(rig);
        CmConnection out = side.resolve();

        Expect.refused(
                VerbsStatus.EINVAL, "a call", () -> out.connect(side.side().qp(), serviceId, CmPair.standard()));
    }

    private static void managementPeers(Rig rig) throws VerbsException {
        Side side = rig.side(SideOptions.standard());
        side.toInit();
        for (int qpn : new int[] {0, 1}) {
            Endpoint peer = new Endpoint(side.endpoint().lid(), qpn, 0, 0, 0, 0);
            Expect.refused(
                    VerbsStatus.EPERM, "addressing QP" + qpn, () -> side.qp().modify(QpAttributes.toRtr(peer)));
        }
        side.expectState(QpState.INIT);
    }

    @Case("a service id has one listener: EBUSY; free again when that is closed")
    static void listenTwice(Rig rig) throws VerbsException {
        CmSide first = CmSide.open(rig);
        CmSide second = CmSide.open(rig);
        var listener = first.listen(CmPair.SERVICE, 1);

        Expect.refused(
                VerbsStatus.EBUSY,
                "a second listener",
                () -> second.manager().listen(second.channel(), CmPair.SERVICE, 1));

        listener.close();
        var _ = second.listen(CmPair.SERVICE, 1);
    }

    @Case("backlog below 1 or above 128, service id 0: EINVAL")
    static void listenBadBacklog(Rig rig) throws VerbsException {
        CmSide side = CmSide.open(rig);
        for (int backlog : new int[] {0, -1, 129, Integer.MAX_VALUE}) {
            Expect.refused(
                    VerbsStatus.EINVAL,
                    "backlog " + backlog,
                    () -> side.manager().listen(side.channel(), CmPair.SERVICE, backlog));
        }
        Expect.refused(VerbsStatus.EINVAL, "service id 0", () -> side.manager().listen(side.channel(), 0, 1));
    }

    @Case("a second REQ of a connection: EINVAL, the first stands")
    static void connectTwice(Rig rig) throws VerbsException {
        CmCall call = CmCall.open(rig);
        CmConnection in = call.arrives();

        Expect.refused(
                VerbsStatus.EINVAL,
                "a second REQ",
                () -> call.out().connect(call.caller().side().qp(), CmPair.SERVICE, CmPair.standard()));

        in.accept(call.callee().side().qp(), CmPair.standard());
        var _ = call.caller().next(CmEvent.Type.ESTABLISHED);
    }

    @Case("a REQ while events of the connection are unread: EBUSY: choice")
    static void connectWithUnreadEvents(Rig rig) throws VerbsException {
        CmSide side = CmSide.open(rig);
        CmConnection out = side.calls();

        Expect.refused(
                VerbsStatus.EBUSY,
                "a call with the REJ of the last unread",
                () -> out.connect(side.side().qp(), CmPair.SERVICE, CmPair.standard()));

        var _ = side.next(CmEvent.Type.REJECTED);
        out.connect(side.side().qp(), CmPair.SERVICE, CmPair.standard());
        var _ = side.next(CmEvent.Type.REJECTED);
    }

    @Case("accept, reject, establish and disconnect before a REQ: EINVAL")
    static void wrongState(Rig rig) throws VerbsException {
        CmSide side = CmSide.open(rig);
        CmConnection out = side.resolve();

        Expect.refused(
                VerbsStatus.EINVAL, "accept", () -> out.accept(side.side().qp(), CmPair.standard()));
        Expect.refused(VerbsStatus.EINVAL, "reject", () -> out.reject(PrivateData.none()));
        Expect.refused(VerbsStatus.EINVAL, "establish", () -> out.establish(PrivateData.none()));
        Expect.refused(VerbsStatus.EINVAL, "disconnect", () -> out.disconnect(PrivateData.none()));
    }

    @Case("reject and establish once connected: EINVAL")
    static void wrongStateWhenConnected(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(rig);

        for (CmConnection end : List.of(ends.out(), ends.in())) {
            Expect.refused(VerbsStatus.EINVAL, "reject", () -> end.reject(PrivateData.none()));
            Expect.refused(VerbsStatus.EINVAL, "establish", () -> end.establish(PrivateData.none()));
        }
        ends.caller().side().expectState(QpState.RTS);
    }

    @Case("a second REP: EINVAL")
    static void acceptTwice(Rig rig) throws VerbsException {
        CmCall call = CmCall.open(rig);
        CmConnection in = call.arrives();
        in.accept(call.callee().side().qp(), CmPair.standard());

        Expect.refused(
                VerbsStatus.EINVAL,
                "a second REP",
                () -> in.accept(call.callee().side().qp(), CmPair.standard()));
    }

    @Case("a channel of another context: EINVAL")
    static void channelOfAnotherContext(Rig rig) throws VerbsException {
        CmSide first = CmSide.open(rig);
        CmSide second = CmSide.open(rig);

        Expect.refused(
                VerbsStatus.EINVAL,
                "listening on it",
                () -> first.manager().listen(second.channel(), CmPair.SERVICE, 1));
        Expect.refused(
                VerbsStatus.EINVAL,
                "resolving on it",
                () -> first.manager()
                        .resolve(
                                second.channel(), Destination.guest(rig.domain().name())));
    }

    @Case("a channel with a listener or a connection: EBUSY naming it")
    static void closeChannelInUse(Rig rig) throws VerbsException {
        CmSide side = CmSide.open(rig);
        VerbsObject listener = side.listen(CmPair.SERVICE, 1);
        VerbsObject connection = side.resolve();
        for (VerbsObject user : List.of(listener, connection)) {
            Expect.inUse(side.channel(), user);
            user.close();
        }
        side.channel().close();
    }

    @Case("who waits for events of a channel that is closed: EINVAL: choice")
    static void closeChannelWakesWaiter(Rig rig) throws VerbsException {
        CmSide side = CmSide.open(rig);
        FutureTask<VerbsStatus> waiter = new FutureTask<>(() -> statusOfAwait(side));
        Thread.ofVirtual().start(waiter);

        side.channel().close();

        try {
            Expect.equal(VerbsStatus.EINVAL, waiter.get(10, TimeUnit.SECONDS), "status");
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the waiter does not end", e);
        }
        Expect.equal(VerbsStatus.EINVAL, statusOfAwait(side), "status of waiting then");
    }

    private static VerbsStatus statusOfAwait(CmSide side) {
        try {
            return side.channel().await(Side.PATIENCE).isPresent() ? VerbsStatus.SUCCESS : VerbsStatus.ETIMEDOUT;
        } catch (VerbsException e) {
            return e.status();
        }
    }

    @Case("a context with a CM channel: EBUSY naming it")
    static void closeContextInUse(Rig rig) throws VerbsException {
        var context = rig.context();
        var channel = rig.closing(ConnectionManager.of(context).createChannel());

        Expect.inUse(context, channel);
    }

    @Case("quota cm used up: EAGAIN naming it; given back, had again")
    static void quotaOfConnections(Rig rig) throws VerbsException {
        CmSide side = CmSide.open(rig);
        Destination self = Destination.guest(rig.domain().name());

        var _ = QuotaCases.usesUp(rig, "cm", () -> side.manager().resolve(side.channel(), self));
    }

    @Case("attributes before the peer's offer: of INIT with the path's P_Key, of RTR and RTS EINVAL")
    static void attributesTooEarly(Rig rig) throws VerbsException {
        CmCall call = CmCall.open(rig);
        QpAttributes first = call.out().attributes(QpState.INIT);
        Expect.equal(QpState.INIT, first.state(), "state before connect");
        Expect.equal(0L, first.get(QpAttribute.PKEY_INDEX), "index of the path's P_Key");
        Expect.refused(VerbsStatus.EINVAL, "attributes", () -> call.out().attributes(QpState.RTR));
        var _ = call.arrives();

        for (QpState state : List.of(QpState.RTR, QpState.RTS, QpState.ERR)) {
            Expect.refused(
                    VerbsStatus.EINVAL,
                    "attributes of " + state,
                    () -> call.out().attributes(state));
        }
    }
}
