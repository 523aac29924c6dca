package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.CmCall;
import io.hyperverbs.lab.conformance.rig.CmPair;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.lab.conformance.rig.UcSide;
import io.hyperverbs.lab.conformance.rig.UdSide;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;

/** Which transports the connection manager connects, and that both ends are of one. */
@CaseGroup("cm")
public final class CmTransportCases {
    private CmTransportCases() {}

    @Case("queue pairs of UC are connected like those of RC (IBA 12.6.5)")
    static void connectsUnreliable(Rig rig) throws VerbsException {
        CmCall call = CmCall.open(rig);
        UcSide from = UcSide.open(rig, "caller");
        UcSide to = UcSide.open(rig, "callee");

        call.out().connect(from.qp(), CmPair.SERVICE, CmPair.standard());
        CmEvent request = call.callee().next(CmEvent.Type.CONNECT_REQUEST);
        Expect.equal(QpType.UC, request.offer().type(), "transport of the call");
        request.connection().accept(to.qp(), CmPair.standard());

        CmEvent answer = call.caller().next(CmEvent.Type.ESTABLISHED);
        Expect.equal(QpType.UC, answer.offer().type(), "transport of the answer");
        var _ = call.callee().next(CmEvent.Type.ESTABLISHED);
        carries(from, to);
        carries(to, from);
    }

    private static void carries(UcSide from, UcSide to) {
        to.receive(7, to.sge(0, 64));
        from.post(Operation.SEND.request(3, from.sge(0, 64)));
        var _ = from.sent(3, VerbsStatus.SUCCESS);
        var _ = to.received(7, VerbsStatus.SUCCESS);
    }

    @Case("a queue pair of UC cannot answer a call of RC: EINVAL, nothing changes (IBA 12.6.5)")
    static void answerOfAnotherTransport(Rig rig) throws VerbsException {
        CmCall call = CmCall.open(rig);
        CmConnection in = call.arrives();
        UcSide unreliable = UcSide.open(rig, "callee");

        Expect.refused(
                VerbsStatus.EINVAL,
                "a queue pair of UC for a call of RC",
                () -> in.accept(unreliable.qp(), CmPair.standard()));

        unreliable.expectState(QpState.RESET);
        in.accept(call.callee().side().qp(), CmPair.standard());
        var _ = call.caller().next(CmEvent.Type.ESTABLISHED);
        CmPair.carries(call.caller(), call.callee());
    }

    @Case("queue pairs of UD do not connect: EINVAL")
    static void callOfDatagrams(Rig rig) throws VerbsException {
        CmCall call = CmCall.open(rig);
        UdSide datagrams = UdSide.open(rig, "caller", SideOptions.standard());

        Expect.refused(
                VerbsStatus.EINVAL,
                "a call of UD",
                () -> call.out().connect(datagrams.qp(), CmPair.SERVICE, CmPair.standard()));

        datagrams.expectState(QpState.RESET);
        call.callee().noEvent();
    }
}
