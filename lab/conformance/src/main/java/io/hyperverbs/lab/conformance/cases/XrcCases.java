package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** Messages of the extended reliable connection: initiators, targets and their queues. */
@CaseGroup("xrc")
public final class XrcCases {
    private XrcCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.values()) {
            cases.add(
                    operation.label() + "-works",
                    "every operation reaches the queue it names; a receive is spent by sends and"
                            + " writes with immediate alone",
                    rig -> works(rig, operation));
        }
        for (int length : new int[] {0, 1, 64, 2048, 2049, 8192}) {
            cases.add(
                    "send-of-" + length + "-bytes",
                    "a message of any length arrives whole",
                    rig -> length(rig, length));
        }
        cases.add(
                "initiator-type",
                "an initiator says what it is",
                rig -> Expect.equal(
                        QpType.XRC_SEND, new XrcRig(rig).link().initiator.type(), "type"));
    }

    private static void works(Rig rig, Operation operation) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        queue.post(1, queue.region.sge(0, 64));

        link.post(7, operation, queue);

        Expect.equal(operation.opcode(), link.sent(7, VerbsStatus.SUCCESS).opcode(), "opcode");
        if (operation.consumesReceive()) {
            Expect.equal(
                    operation.hasImmediate(),
                    queue.received(link, 1, VerbsStatus.SUCCESS).hasImmediate(),
                    "immediate data");
        } else {
            queue.receives.pollsEmpty();
        }
    }

    private static void length(Rig rig, int length) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        queue.post(3, queue.region.sge(0, 8192));

        xrc.link().carries(queue, 3, length);
    }

    @Case("one connection feeds the queues that its messages name, each with its own CQ and PD")
    static void twoQueuesOfOneTarget(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue first = xrc.queue();
        XrcRig.Queue second = xrc.queue();
        XrcRig.Link link = xrc.link();
        for (int i = 0; i < 8; i++) {
            first.post(i, first.region.sge(0, 64));
            second.post(100 + i, second.region.sge(0, 64));
        }
        for (int i = 0; i < 8; i++) {
            link.carries(first, i, 64);
            link.carries(second, 100 + i, 32);
        }
        first.receives.pollsEmpty();
        second.receives.pollsEmpty();
    }

    @Case("several targets feed one queue; completions carry the target's QPN")
    static void twoTargetsOfOneQueue(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link one = xrc.link();
        XrcRig.Link other = xrc.link();
        for (int i = 0; i < 12; i++) {
            queue.post(i, queue.region.sge(0, 64));
        }
        for (int i = 0; i < 12; i++) {
            (i % 3 == 0 ? one : other).carries(queue, i, 64);
        }
    }

    @Case("both tiers post alike: the poster names the queue (ibv_wr_set_xrc_srqn)")
    static void posterNamesQueue(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        queue.post(1, queue.region.sge(0, 64));
        Sge piece = link.sge(0, 8);

        VerbsStatus status = link.initiator
                .sends()
                .start()
                .send(7, SendFlags.SIGNALLED)
                .sharedQueue(queue.srq.srqn())
                .sge(piece.lkey(), piece.address(), 8)
                .fetchAndAdd(8, SendFlags.SIGNALLED, queue.region.address() + 64, queue.region.rkey(), 5)
                .sharedQueue(queue.srq.srqn())
                .sge(piece.lkey(), piece.address(), 8)
                .post();

        Expect.equal(VerbsStatus.SUCCESS, status, "post");
        link.sent(7, VerbsStatus.SUCCESS);
        link.sent(8, VerbsStatus.SUCCESS);
        queue.received(link, 1, VerbsStatus.SUCCESS);
    }

    @Case("inline data reaches the queue named")
    static void inlineWorks(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        queue.post(1, queue.region.sge(0, 64));
        Pattern.fill(link.buffer, 0, 40, 9);

        link.post(
                queue.srq.srqn(),
                Operation.SEND.request(7, SendFlags.SIGNALLED | SendFlags.INLINE, 0, 0, List.of(link.sge(0, 40))));

        link.sent(7, VerbsStatus.SUCCESS);
        queue.received(link, 1, VerbsStatus.SUCCESS);
        Pattern.expect(queue.buffer, 0, 40, 9, "data received");
    }

    @Case("a queue of XRC is resized with receives in it")
    static void resizeQueue(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue queue = xrc.queue();
        XrcRig.Link link = xrc.link();
        for (int i = 0; i < 8; i++) {
            queue.post(i, queue.region.sge(0, 64));
        }
        link.carries(queue, 0, 64);

        queue.srq.resize(64);
        queue.receives.cq().resize(256);

        for (int i = 8; i < 40; i++) {
            queue.post(i, queue.region.sge(0, 64));
        }
        for (int i = 1; i < 40; i++) {
            link.carries(queue, i, 64);
        }
    }

    @Case("five hundred messages to two queues: none lost, none twice")
    static void longRun(Rig rig) throws VerbsException {
        XrcRig xrc = new XrcRig(rig);
        XrcRig.Queue[] queues = {xrc.queue(), xrc.queue()};
        XrcRig.Link[] links = {xrc.link(), xrc.link()};
        for (int i = 0; i < 500; i++) {
            XrcRig.Queue queue = queues[i / 3 % 2];
            queue.post(i, queue.region.sge(0, 64));
            links[i % 2].carries(queue, i, 16);
        }
    }
}
