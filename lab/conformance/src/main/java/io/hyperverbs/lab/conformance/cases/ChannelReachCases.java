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
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Which completions raise an event, how many queues one channel serves, and what it counts. */
@CaseGroup("channel")
public final class ChannelReachCases {
    private static final int QUEUES = 20;

    private ChannelReachCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.values()) {
            cases.add(
                    "event-on-" + operation.label(),
                    "the completion of each operation raises the event (ibv_req_notify_cq)",
                    rig -> eventOn(rig, operation));
        }
    }

    private static void eventOn(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard().withChannel(), SideOptions.standard());
        Side requester = pair.requester();
        Side responder = pair.responder();
        if (operation.consumesReceive()) {
            responder.receive(5, responder.sge(0, 8));
        }
        ChannelCases.arm(requester.sendCq(), false);

        requester.post(operation.request(1, responder, 0, requester.sge(0, 8)));

        ChannelCases.expectEvent(requester, requester.sendCq());
        requester.sent(1, VerbsStatus.SUCCESS);
    }

    @Case("the completion of a bind raises the event (ibv_req_notify_cq)")
    static void eventOnBind(Rig rig) throws VerbsException {
        Side side = rig.pair(SideOptions.standard()
                        .withRegionAccess(Windows.BINDABLE)
                        .withChannel())
                .responder();
        ChannelCases.arm(side.sendCq(), false);

        MemoryWindow _ = Windows.bound(rig, side, MemoryWindow.Type.TWO);

        ChannelCases.expectEvent(side, side.sendCq());
    }

    @Case("a channel tells each of its queues once (ibv_get_cq_event)")
    static void twentyQueues(Rig rig) throws VerbsException {
        Context context = rig.context();
        CompletionChannel channel = rig.closing(context.createChannel());
        ProtectionDomain pd = rig.closing(context.allocatePd());
        List<CompletionQueue> queues = new ArrayList<>();
        List<RcQueuePair> users = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            CompletionQueue queue = rig.closing(context.createCq(4, channel));
            RcQueuePair user = rig.closing(pd.createRc(QpLimits.of(1, 1), queue, queue));
            user.modify(QpAttributes.toInit(Set.of(Access.LOCAL_WRITE)));
            Expect.equal(VerbsStatus.SUCCESS, user.postReceive(new ReceiveWorkRequest(i, List.of())), "receive");
            ChannelCases.arm(queue, false);
            queues.add(queue);
            users.add(user);
        }

        for (RcQueuePair user : users) {
            user.modify(QpAttributes.to(QpState.ERR));
        }

        for (int i = 0; i < QUEUES; i++) {
            CompletionQueue told =
                    channel.await(Side.PATIENCE).orElseThrow(() -> new AssertionError("an event is missing"));
            channel.acknowledge(told, 1);
            Expect.isTrue(queues.remove(told), told.describe() + " was told twice");
        }
    }

    @Case("a CQ with a channel of another context: EINVAL (ibv_create_cq)")
    static void channelOfAnotherContext(Rig rig) throws VerbsException {
        CompletionChannel channel = rig.closing(rig.context().createChannel());

        Expect.refused(VerbsStatus.EINVAL, "a CQ there", () -> rig.context().createCq(4, channel));
    }

    @Case("acknowledging more events than were taken is refused, and acknowledges none: choice")
    static void acknowledgeMoreThanTaken(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard(), SideOptions.standard().withChannel());
        Side responder = pair.responder();
        CompletionQueue queue = responder.receiveCq();
        refusesAcknowledgement(responder, 1);
        ChannelCases.arm(queue, false);
        responder.receive(5);
        pair.requester().post(Operation.SEND.request(1));
        Expect.isTrue(responder.channel().await(Side.PATIENCE).isPresent(), "no event came");
        responder.received(5, VerbsStatus.SUCCESS);

        refusesAcknowledgement(responder, 2);
        refusesAcknowledgement(responder, -1);

        responder.channel().acknowledge(queue, 1);
        responder.qp().close();
        queue.close();
    }

    private static void refusesAcknowledgement(Side side, int count) {
        try {
            side.channel().acknowledge(side.receiveCq(), count);
        } catch (IllegalArgumentException e) {
            return;
        }
        throw new AssertionError(count + " events acknowledged");
    }
}
