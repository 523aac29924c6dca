package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.rig.CmPair;
import io.hyperverbs.lab.conformance.rig.CmSide;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.CmParameters.Transitions;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.util.List;

/** Connections by the connection manager: set up and used. */
public final class CmCases {
    private CmCases() {}

    public static List<ConformanceCase> cases() {
        CaseList cases = new CaseList("cm");
        cases.add(
                        "connects-and-carries-data",
                        "REQ, REP, RTU: both ends are ESTABLISHED and RTS (IBA 12.9.2)",
                        CmCases::connects)
                .add("connects-by-gid", "a guest is found by its GID (rdma_resolve_addr)", CmCases::connectsByGid)
                .add(
                        "program-moves-queue-pair",
                        "the program may move the queue pair itself (rdma_init_qp_attr)",
                        CmCases::programMoves)
                .add(
                        "private-data-of-every-message",
                        "REQ, REP and DREQ bring the private data (IBA 12.6)",
                        CmCases::privateData)
                .add("private-data-of-reject", "a REJ brings the private data (IBA 12.6.7)", CmCases::rejectData)
                .add(
                        "request-names-caller",
                        "a REQ says who calls: name, GID, service id and QPN",
                        CmCases::requestNamesCaller)
                .add(
                        "reads-negotiated-to-smaller",
                        "max_rd_atomic is the smaller of what one asks and the other has (IBA" + " 12.7.29)",
                        CmCases::negotiated)
                .add(
                        "retries-are-callers",
                        "retry counts of the REQ count for both ends (IBA 12.7.38)",
                        CmCases::retries)
                .add("no-listener", "nobody listens: REJ, invalid service id (IBA 12.6.7.2)", CmCases::noListener)
                .add(
                        "backlog-full",
                        "more calls than the backlog holds: REJ, no resources: choice",
                        CmCases::backlogFull)
                .add(
                        "backlog-freed-by-answer",
                        "an answered call leaves the backlog (rdma_listen)",
                        CmCases::backlogFreed)
                .add(
                        "listener-closed-before-accept",
                        "calls nobody has read are rejected when the listener goes: choice",
                        CmCases::listenerClosed)
                .add(
                        "many-calls-to-one-listener",
                        "a listener takes calls up to its backlog, each a connection of its own",
                        CmCases::manyCalls);
        return cases.cases();
    }

    private static void moveAll(CmConnection connection, CmSide side) throws VerbsException {
        for (QpState state : List.of(QpState.INIT, QpState.RTR, QpState.RTS)) {
            side.side().qp().modify(connection.attributes(state));
        }
    }

    private static void connects(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(rig, CmPair.standard(), CmPair.standard());

        ends.caller().side().expectState(QpState.RTS);
        ends.callee().side().expectState(QpState.RTS);
        CmPair.carries(ends.caller(), ends.callee());
        CmPair.carries(ends.callee(), ends.caller());
    }

    private static void connectsByGid(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide caller = CmSide.open(rig);
        var _ = callee.listen(CmPair.SERVICE, 1);
        Destination gid =
                Destination.gid(SubnetAdministration.of(callee.side().context()).gid());
        CmConnection out = rig.closing(caller.manager().resolve(caller.channel(), gid));

        out.connect(caller.side().qp(), CmPair.SERVICE, CmPair.standard());

        Expect.equal(rig.domain().name(), out.guest(), "guest of that GID");
        callee.next(CmEvent.Type.CONNECT_REQUEST)
                .connection()
                .accept(callee.side().qp(), CmPair.standard());
        var _ = caller.next(CmEvent.Type.ESTABLISHED);
        CmPair.carries(caller, callee);
    }

    private static void programMoves(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide caller = CmSide.open(rig);
        var _ = callee.listen(CmPair.SERVICE, 1);
        CmParameters manual = CmPair.standard().withTransitions(Transitions.PROGRAM);
        CmConnection out = caller.resolve();

        out.connect(caller.side().qp(), CmPair.SERVICE, manual);
        caller.side().expectState(QpState.RESET);
        CmConnection in = callee.next(CmEvent.Type.CONNECT_REQUEST).connection();
        in.accept(callee.side().qp(), manual);
        callee.side().expectState(QpState.RESET);
        moveAll(in, callee);
        var _ = caller.next(CmEvent.Type.CONNECT_RESPONSE);
        moveAll(out, caller);
        out.establish(PrivateData.of("up"));

        Expect.equal("up", callee.next(CmEvent.Type.ESTABLISHED).privateData().text(), "RTU's data");
        CmPair.carries(caller, callee);
    }

    private static void privateData(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide caller = CmSide.open(rig);
        var _ = callee.listen(CmPair.SERVICE, 1);
        CmConnection out = caller.resolve();
        out.connect(caller.side().qp(), CmPair.SERVICE, CmPair.standard().withPrivateData(PrivateData.of("req")));
        CmEvent request = callee.next(CmEvent.Type.CONNECT_REQUEST);
        Expect.equal("req", request.privateData().text(), "data of the REQ");
        request.connection().accept(callee.side().qp(), CmPair.standard().withPrivateData(PrivateData.of("rep")));
        Expect.equal("rep", caller.next(CmEvent.Type.ESTABLISHED).privateData().text(), "data of the REP");
        var _ = callee.next(CmEvent.Type.ESTABLISHED);
        out.disconnect(PrivateData.of("dreq"));
        Expect.equal(
                "dreq", callee.next(CmEvent.Type.DISCONNECTED).privateData().text(), "data of the DREQ");
        request.connection().disconnect(PrivateData.of("drep"));
        Expect.equal(
                "drep", caller.next(CmEvent.Type.DISCONNECTED).privateData().text(), "data of the DREP");
    }

    private static void rejectData(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide caller = CmSide.open(rig);
        var _ = callee.listen(CmPair.SERVICE, 1);
        CmConnection out = caller.resolve();
        out.connect(caller.side().qp(), CmPair.SERVICE, CmPair.standard());

        callee.next(CmEvent.Type.CONNECT_REQUEST).connection().reject(PrivateData.of("not today"));

        CmEvent rejected = caller.rejected(RejectReason.CONSUMER_DEFINED);
        Expect.equal("not today", rejected.privateData().text(), "data of the REJ");
    }

    private static void requestNamesCaller(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide caller = CmSide.open(rig);
        var _ = callee.listen(CmPair.SERVICE, 1);
        CmConnection out = caller.resolve();

        out.connect(caller.side().qp(), CmPair.SERVICE, CmPair.standard());

        CmEvent request = callee.next(CmEvent.Type.CONNECT_REQUEST);
        Expect.equal(rig.domain().name(), request.guest(), "caller");
        Expect.equal(SubnetAdministration.of(caller.side().context()).gid(), request.gid(), "caller's GID");
        Expect.equal(CmPair.SERVICE, request.listener(), "service id");
        Expect.equal(caller.side().qp().qpn(), request.offer().qpn(), "caller's QPN");
    }

    private static void negotiated(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(
                rig, CmPair.standard().withReads(3, 9), CmPair.standard().withReads(4, 8));

        QpAttributes out = ends.caller().side().qp().query();
        QpAttributes in = ends.callee().side().qp().query();
        Expect.equal(4L, out.get(QpAttribute.MAX_QP_RD_ATOMIC), "reads of the caller");
        Expect.equal(4L, in.get(QpAttribute.MAX_DEST_RD_ATOMIC), "reads the callee answers");
        Expect.equal(3L, in.get(QpAttribute.MAX_QP_RD_ATOMIC), "reads of the callee");
        Expect.equal(3L, out.get(QpAttribute.MAX_DEST_RD_ATOMIC), "reads the caller answers");
    }

    private static void retries(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(
                rig, CmPair.standard().withRetries(2, 3, 12), CmPair.standard().withRetries(5, 4, 11));

        QpAttributes out = ends.caller().side().qp().query();
        QpAttributes in = ends.callee().side().qp().query();
        Expect.equal(2L, out.get(QpAttribute.RETRY_CNT), "retries of the caller");
        Expect.equal(2L, in.get(QpAttribute.RETRY_CNT), "retries of the callee");
        Expect.equal(4L, out.get(QpAttribute.RNR_RETRY), "RNR retries the callee asked for");
        Expect.equal(3L, in.get(QpAttribute.RNR_RETRY), "RNR retries the caller asked for");
        Expect.equal(12L, out.get(QpAttribute.TIMEOUT), "ack timeout of the caller");
        Expect.equal(11L, in.get(QpAttribute.TIMEOUT), "ack timeout of the callee");
    }

    private static void noListener(Rig rig) throws VerbsException {
        CmSide caller = CmSide.open(rig);
        CmConnection out = caller.resolve();

        out.connect(caller.side().qp(), CmPair.SERVICE, CmPair.standard());

        var _ = caller.rejected(RejectReason.INVALID_SERVICE_ID);
    }

    private static void backlogFull(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide first = CmSide.open(rig);
        CmSide second = CmSide.open(rig);
        var _ = callee.listen(CmPair.SERVICE, 1);

        first.resolve().connect(first.side().qp(), CmPair.SERVICE, CmPair.standard());
        second.resolve().connect(second.side().qp(), CmPair.SERVICE, CmPair.standard());

        var _ = second.rejected(RejectReason.NO_RESOURCES);
        first.noEvent();
    }

    private static void backlogFreed(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide first = CmSide.open(rig);
        CmSide second = CmSide.open(rig);
        var _ = callee.listen(CmPair.SERVICE, 1);
        first.resolve().connect(first.side().qp(), CmPair.SERVICE, CmPair.standard());
        callee.next(CmEvent.Type.CONNECT_REQUEST).connection().reject(PrivateData.none());
        var _ = first.rejected(RejectReason.CONSUMER_DEFINED);

        second.resolve().connect(second.side().qp(), CmPair.SERVICE, CmPair.standard());

        Expect.equal(
                second.side().qp().qpn(),
                callee.next(CmEvent.Type.CONNECT_REQUEST).offer().qpn(),
                "caller's QPN");
    }

    private static void listenerClosed(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide caller = CmSide.open(rig);
        CmListener listener = callee.listen(CmPair.SERVICE, 1);
        caller.resolve().connect(caller.side().qp(), CmPair.SERVICE, CmPair.standard());

        listener.close();

        var _ = caller.rejected(RejectReason.INVALID_SERVICE_ID);
        callee.noEvent();
    }

    private static void manyCalls(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide caller = CmSide.open(rig);
        var _ = callee.listen(CmPair.SERVICE, 20);
        for (int i = 0; i < 20; i++) {
            var side = rig.side(caller.side().context(), SideOptions.standard());
            caller.resolve().connect(side.qp(), CmPair.SERVICE, CmPair.standard());
        }
        for (int i = 0; i < 20; i++) {
            callee.next(CmEvent.Type.CONNECT_REQUEST).connection().reject(PrivateData.none());
        }
        for (int i = 0; i < 20; i++) {
            var _ = caller.rejected(RejectReason.CONSUMER_DEFINED);
        }
    }
}
