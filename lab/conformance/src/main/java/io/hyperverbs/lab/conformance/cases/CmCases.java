package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
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
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.util.List;

/** Connections by the connection manager: set up and used. */
@CaseGroup("cm")
public final class CmCases {
    private CmCases() {}

    private static void moveAll(CmConnection connection, CmSide side) throws VerbsException {
        for (QpState state : List.of(QpState.INIT, QpState.RTR, QpState.RTS)) {
            side.side().qp().modify(connection.attributes(state));
        }
    }

    @Case("REQ, REP, RTU: both ends are ESTABLISHED and RTS (IBA 12.9.2)")
    static void connectsAndCarriesData(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(rig);

        ends.caller().side().expectState(QpState.RTS);
        ends.callee().side().expectState(QpState.RTS);
        CmPair.carries(ends.caller(), ends.callee());
        CmPair.carries(ends.callee(), ends.caller());
    }

    @Case("a guest is found by its GID (rdma_resolve_addr)")
    static void connectsByGid(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);
        Destination gid =
                Destination.gid(SubnetAdministration.of(callee.side().context()).gid());
        CmConnection out = rig.closing(caller.manager().resolve(caller.channel(), gid));

        out.connect(caller.side().qp(), CmPair.SERVICE, CmPair.standard());

        Expect.equal(rig.domain().name(), out.guest(), "guest of that GID");
        var _ = callee.accepts(CmPair.standard());
        var _ = caller.next(CmEvent.Type.ESTABLISHED);
        CmPair.carries(caller, callee);
    }

    @Case("the program may move the queue pair itself (rdma_init_qp_attr)")
    static void programMovesQueuePair(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);

        CmConnection out = caller.calls(CmPair.manual());
        caller.side().expectState(QpState.RESET);
        CmConnection in = callee.accepts(CmPair.manual());
        callee.side().expectState(QpState.RESET);
        moveAll(in, callee);
        var _ = caller.next(CmEvent.Type.CONNECT_RESPONSE);
        moveAll(out, caller);
        out.establish(PrivateData.of("up"));

        Expect.equal("up", callee.next(CmEvent.Type.ESTABLISHED).privateData().text(), "RTU's data");
        CmPair.carries(caller, callee);
    }

    @Case("REQ, REP and DREQ bring the private data (IBA 12.6)")
    static void privateDataOfEveryMessage(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);
        CmConnection out = caller.calls(CmPair.standard().withPrivateData(PrivateData.of("req")));
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

    @Case("a REJ brings the private data (IBA 12.6.7)")
    static void privateDataOfReject(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);
        var _ = caller.calls();

        callee.called().reject(PrivateData.of("not today"));

        CmEvent rejected = caller.rejected(RejectReason.CONSUMER_DEFINED);
        Expect.equal("not today", rejected.privateData().text(), "data of the REJ");
    }

    @Case("a REQ says who calls: name, GID, service id and QPN")
    static void requestNamesCaller(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide caller = CmSide.open(rig);
        var _ = caller.calls();

        CmEvent request = callee.next(CmEvent.Type.CONNECT_REQUEST);
        Expect.equal(rig.domain().name(), request.guest(), "caller");
        Expect.equal(SubnetAdministration.of(caller.side().context()).gid(), request.gid(), "caller's GID");
        Expect.equal(CmPair.SERVICE, request.listener(), "service id");
        Expect.equal(caller.side().qp().qpn(), request.offer().qpn(), "caller's QPN");
    }

    @Case("max_rd_atomic is the smaller of what one asks and the other has (IBA 12.7.29)")
    static void readsNegotiatedToSmaller(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(
                rig, CmPair.standard().withReads(3, 9), CmPair.standard().withReads(4, 8));

        QpAttributes out = ends.caller().side().qp().query();
        QpAttributes in = ends.callee().side().qp().query();
        Expect.equal(4L, out.get(QpAttribute.MAX_QP_RD_ATOMIC), "reads of the caller");
        Expect.equal(4L, in.get(QpAttribute.MAX_DEST_RD_ATOMIC), "reads the callee answers");
        Expect.equal(3L, in.get(QpAttribute.MAX_QP_RD_ATOMIC), "reads of the callee");
        Expect.equal(3L, out.get(QpAttribute.MAX_DEST_RD_ATOMIC), "reads the caller answers");
    }

    @Case("retry counts of the REQ count for both ends (IBA 12.7.38)")
    static void retriesAreCallers(Rig rig) throws VerbsException {
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

    @Case("nobody listens: REJ, invalid service id (IBA 12.6.7.2)")
    static void noListener(Rig rig) throws VerbsException {
        CmSide caller = CmSide.open(rig);
        var _ = caller.calls();

        var _ = caller.rejected(RejectReason.INVALID_SERVICE_ID);
    }

    @Case("more calls than the backlog holds: REJ, no resources: choice")
    static void backlogFull(Rig rig) throws VerbsException {
        var _ = CmSide.listening(rig);
        CmSide first = CmSide.open(rig);
        CmSide second = CmSide.open(rig);

        var _ = first.calls();
        var _ = second.calls();

        var _ = second.rejected(RejectReason.NO_RESOURCES);
        first.noEvent();
    }

    @Case("an answered call leaves the backlog (rdma_listen)")
    static void backlogFreedByAnswer(Rig rig) throws VerbsException {
        CmSide callee = CmSide.listening(rig);
        CmSide first = CmSide.open(rig);
        CmSide second = CmSide.open(rig);
        var _ = first.calls();
        callee.called().reject(PrivateData.none());
        var _ = first.rejected(RejectReason.CONSUMER_DEFINED);

        var _ = second.calls();

        Expect.equal(
                second.side().qp().qpn(),
                callee.next(CmEvent.Type.CONNECT_REQUEST).offer().qpn(),
                "caller's QPN");
    }

    @Case("calls nobody has read are rejected when the listener goes: choice")
    static void listenerClosedBeforeAccept(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide caller = CmSide.open(rig);
        CmListener listener = callee.listen(CmPair.SERVICE, 1);
        var _ = caller.calls();

        listener.close();

        var _ = caller.rejected(RejectReason.INVALID_SERVICE_ID);
        callee.noEvent();
    }

    @Case("a listener takes calls up to its backlog, each a connection of its own")
    static void manyCallsToOneListener(Rig rig) throws VerbsException {
        CmSide callee = CmSide.open(rig);
        CmSide caller = CmSide.open(rig);
        var _ = callee.listen(CmPair.SERVICE, 20);
        for (int i = 0; i < 20; i++) {
            var side = rig.side(caller.side().context(), SideOptions.standard());
            caller.resolve().connect(side.qp(), CmPair.SERVICE, CmPair.standard());
        }
        for (int i = 0; i < 20; i++) {
            callee.called().reject(PrivateData.none());
        }
        for (int i = 0; i < 20; i++) {
            var _ = caller.rejected(RejectReason.CONSUMER_DEFINED);
        }
    }
}
