package io.hyperverbs.toolstack.conformance.cases;

import io.hyperverbs.toolstack.conformance.CaseList;
import io.hyperverbs.toolstack.conformance.ConformanceCase;
import io.hyperverbs.toolstack.conformance.rig.Expect;
import io.hyperverbs.toolstack.conformance.rig.Operation;
import io.hyperverbs.toolstack.conformance.rig.Pattern;
import io.hyperverbs.toolstack.conformance.rig.Rig;
import io.hyperverbs.toolstack.conformance.rig.Side;
import io.hyperverbs.toolstack.conformance.rig.SideOptions;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;

import java.util.ArrayList;
import java.util.List;

/** What a reliable connection does when nothing goes wrong. */
public final class RcCases {
    private static final int BYTES = 100;

    private RcCases() {}

    public static List<ConformanceCase> cases() {
        CaseList list = new CaseList("rc");
        for (Operation operation : Operation.values()) {
            list.add(
                    operation.label() + "-completes",
                    "completions of both sides: opcode, byte count, QPN, immediate (ibv_poll_cq)",
                    rig -> completes(rig, operation));
            list.add(
                    operation.label() + "-unsignalled",
                    "an unsignalled success writes no completion (ibv_post_send)",
                    rig -> unsignalled(rig, operation));
            list.add(
                    operation.label() + "-to-itself",
                    "a queue pair may be connected to itself (IBA 9.2)",
                    rig -> toItself(rig, operation));
        }
        for (int psn : new int[] {0, 1, 0x7f_ffff, 0xff_fff8, 0xff_ffff}) {
            list.add(
                    "psn-from-" + Integer.toHexString(psn),
                    "packet sequence numbers wrap at 24 bits (IBA 9.7.1)",
                    rig -> startsAtPsn(rig, psn));
        }
        for (int mtu : new int[] {256, 512, 1024, 2048, 4096}) {
            list.add(
                    "path-mtu-" + mtu,
                    "a path MTU up to the port's active MTU carries messages of many packets;"
                            + " above: EINVAL",
                    rig -> pathMtu(rig, mtu));
        }
        return list.add(
                        "all-signalled",
                        "sq_sig_all: every request completes, flag or not (ibv_create_qp)",
                        RcCases::allSignalled)
                .add(
                        "every-fourth-signalled",
                        "exactly the signalled requests complete, in order (ibv_post_send)",
                        RcCases::everyFourthSignalled)
                .add(
                        "messages-in-order",
                        "receives are consumed in the order they were posted (IBA 9.5)",
                        RcCases::messagesInOrder)
                .add(
                        "write-before-send",
                        "data of a write is there when a later send arrives (IBA 9.5)",
                        RcCases::writeBeforeSend)
                .add(
                        "read-after-write",
                        "a read sees the writes posted before it (IBA 9.5)",
                        RcCases::readAfterWrite)
                .add(
                        "fence",
                        "FENCE: a request starts after earlier reads ended (ibv_post_send)",
                        RcCases::fence)
                .add(
                        "both-directions",
                        "both sides send at once; neither sees its own messages",
                        RcCases::bothDirections)
                .add(
                        "pairs-apart",
                        "an error on one connection leaves another alone",
                        RcCases::pairsApart)
                .add(
                        "reads-beyond-depth-wait",
                        "reads and atomics beyond max_rd_atomic wait their turn (ibv_modify_qp)",
                        RcCases::readsBeyondDepth)
                .add(
                        "write-imm-data-not-in-receive",
                        "a write with immediate consumes a receive and leaves its buffer alone",
                        RcCases::writeImmediateLeavesReceive)
                .add(
                        "receive-longer-than-message",
                        "a receive may be longer than the message; the rest stays untouched",
                        RcCases::receiveLonger)
                .add(
                        "immediate-any-bits",
                        "immediate data arrives bit for bit",
                        RcCases::immediateAnyBits)
                .cases();
    }

    private static void completes(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        int bytes = operation.isAtomic() ? 8 : BYTES;
        responder.receive(5, responder.sge(1024, BYTES));

        requester.post(
                operation.request(
                        1,
                        responder.at(0),
                        responder.region().rkey(),
                        List.of(requester.sge(0, bytes))));

        WorkCompletion done = requester.sent(1, VerbsStatus.SUCCESS);
        Expect.equal(operation.opcode(), done.opcode(), "opcode at the requester");
        if (operation.writesLocally()) {
            Expect.equal(bytes, done.byteCount(), "byte count at the requester");
        }
        if (!operation.consumesReceive()) {
            requester.ends();
            responder.ends(5);
            return;
        }
        WorkCompletion arrived = responder.received(5, VerbsStatus.SUCCESS);
        Expect.equal(
                operation == Operation.WRITE_WITH_IMM
                        ? WorkCompletion.Opcode.RECV_RDMA_WITH_IMM
                        : WorkCompletion.Opcode.RECV,
                arrived.opcode(),
                "opcode at the responder");
        Expect.equal(bytes, arrived.byteCount(), "byte count at the responder");
        Expect.equal(operation.hasImmediate(), arrived.hasImmediate(), "an immediate");
        if (operation.hasImmediate()) {
            Expect.equal(Operation.IMMEDIATE, arrived.immediate(), "immediate");
        }
        requester.ends();
        responder.ends();
    }

    private static void unsignalled(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        int bytes = operation.isAtomic() ? 8 : BYTES;
        responder.receive(5, responder.sge(1024, BYTES));

        requester.post(
                operation.request(
                        1,
                        SendFlags.NONE,
                        responder.at(0),
                        responder.region().rkey(),
                        List.of(requester.sge(0, bytes))));

        requester.noMoreSends();
        if (operation.consumesReceive()) {
            responder.received(5, VerbsStatus.SUCCESS);
        }
    }

    private static void toItself(Rig rig, Operation operation) throws VerbsException {
        Side side = rig.side(SideOptions.standard());
        side.connect(side.endpoint());
        side.receive(5, side.sge(4096, 8));
        Pattern.fill(side.buffer(), 0, 8, 1);
        Pattern.fill(side.buffer(), 2048, 8, 2);

        side.post(
                operation.request(1, side.at(2048), side.region().rkey(), List.of(side.sge(0, 8))));

        side.sent(1, VerbsStatus.SUCCESS);
        if (operation.consumesReceive()) {
            side.received(5, VerbsStatus.SUCCESS);
            side.ends();
        } else {
            side.ends(5);
        }
        switch (operation) {
            case SEND, SEND_WITH_IMM -> Pattern.expect(side.buffer(), 4096, 8, 1, "received");
            case WRITE, WRITE_WITH_IMM -> Pattern.expect(side.buffer(), 2048, 8, 1, "written");
            case READ, COMPARE_AND_SWAP, FETCH_AND_ADD ->
                    Pattern.expect(side.buffer(), 0, 8, 2, "fetched");
        }
    }

    private static void startsAtPsn(Rig rig, int psn) throws VerbsException {
        SideOptions options = SideOptions.standard().with(QpAttribute.SQ_PSN, psn);
        Rig.Pair pair = rig.pair(options);
        for (int i = 0; i < 12; i++) {
            Transfers.sends(pair, 64);
            Transfers.writes(pair, 5000);
            Transfers.sends(pair.responder(), pair.requester(), 16);
        }
    }

    private static void pathMtu(Rig rig, int mtuBytes) throws VerbsException {
        SideOptions options = SideOptions.standard().with(QpAttribute.PATH_MTU, mtuBytes);
        if (mtuBytes <= rig.context().queryPort(1).activeMtuBytes()) {
            Rig.Pair pair = rig.pair(options);
            Transfers.sends(pair, 8191);
            Transfers.writes(pair, 8192);
            return;
        }
        Side side = rig.side(options);
        side.toInit();
        Expect.refused(
                VerbsStatus.EINVAL,
                "a path MTU above the port's",
                () ->
                        side.qp()
                                .modify(
                                        QpAttributes.toRtr(side.endpoint())
                                                .with(QpAttribute.PATH_MTU, mtuBytes)));
    }

    private static SendWorkRequest write(Rig.Pair pair, long wrId, int flags, int bytes) {
        Side responder = pair.responder();
        return new SendWorkRequest.RdmaWrite(
                wrId,
                flags,
                List.of(pair.requester().sge(0, bytes)),
                responder.at(0),
                responder.region().rkey());
    }

    private static void allSignalled(Rig rig) throws VerbsException {
        SideOptions standard = SideOptions.standard();
        Rig.Pair pair = rig.pair(standard.withLimits(standard.limits().withAllSignalled()));
        for (int i = 0; i < 40; i++) {
            int flags = i % 2 == 0 ? SendFlags.NONE : SendFlags.SIGNALLED;
            pair.requester().post(write(pair, i, flags, 8));
            pair.requester().sent(i, VerbsStatus.SUCCESS);
        }
    }

    private static void everyFourthSignalled(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        for (int i = 0; i < 200; i++) {
            boolean signalled = i % 4 == 3;
            pair.requester()
                    .post(write(pair, i, signalled ? SendFlags.SIGNALLED : SendFlags.NONE, 8));
            if (signalled) {
                pair.requester().sent(i, VerbsStatus.SUCCESS);
            }
        }
        pair.requester().noMoreSends();
    }

    private static void messagesInOrder(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        for (int round = 0; round < 8; round++) {
            List<SendWorkRequest> sends = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                responder.receive(i, responder.sge(i * 64L, 64));
                sends.add(Operation.SEND.request(i, 0, 0, List.of(requester.sge(0, i + 1))));
            }
            requester.post(sends.toArray(SendWorkRequest[]::new));
            for (int i = 0; i < 16; i++) {
                requester.sent(i, VerbsStatus.SUCCESS);
                WorkCompletion arrived = responder.received(i, VerbsStatus.SUCCESS);
                Expect.equal(i + 1, arrived.byteCount(), "bytes of message " + i);
            }
        }
    }

    private static void writeBeforeSend(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        for (int round = 0; round < 50; round++) {
            Pattern.fill(requester.buffer(), 0, 4096, round);
            responder.receive(5);
            requester.post(
                    write(pair, 1, SendFlags.NONE, 4096),
                    Operation.SEND.request(2, 0, 0, List.of()));
            responder.received(5, VerbsStatus.SUCCESS);
            Pattern.expect(responder.buffer(), 0, 4096, round, "data written before the send");
            requester.sent(2, VerbsStatus.SUCCESS);
        }
    }

    private static void readAfterWrite(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        for (int round = 0; round < 50; round++) {
            Pattern.fill(requester.buffer(), 0, 2048, round);
            requester.post(
                    write(pair, 1, SendFlags.NONE, 2048),
                    Operation.READ.request(
                            2,
                            responder.at(0),
                            responder.region().rkey(),
                            List.of(requester.sge(4096, 2048))));
            requester.sent(2, VerbsStatus.SUCCESS);
            Pattern.expect(requester.buffer(), 4096, 2048, round, "data read back");
        }
    }

    private static void fence(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        for (int round = 0; round < 50; round++) {
            Pattern.fill(responder.buffer(), 4096, 2048, round);
            // Fetches, and sends on what it fetched: only the fence makes that legal.
            requester.post(
                    Operation.READ.request(
                            1,
                            SendFlags.NONE,
                            responder.at(4096),
                            responder.region().rkey(),
                            List.of(requester.sge(0, 2048))),
                    write(pair, 2, SendFlags.FENCE | SendFlags.SIGNALLED, 2048));
            requester.sent(2, VerbsStatus.SUCCESS);
            Pattern.expect(responder.buffer(), 0, 2048, round, "data fetched and sent on");
        }
    }

    private static void bothDirections(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        List<Side> sides = List.of(pair.requester(), pair.responder());
        for (int round = 0; round < 20; round++) {
            for (Side side : sides) {
                Pattern.fill(side.buffer(), 0, 64, side.qp().qpn() + round);
                side.receive(round, side.sge(1024, 64));
            }
            for (Side side : sides) {
                side.post(Operation.SEND.request(round, 0, 0, List.of(side.sge(0, 64))));
            }
            for (int i = 0; i < 2; i++) {
                sides.get(i).sent(round, VerbsStatus.SUCCESS);
                sides.get(i).received(round, VerbsStatus.SUCCESS);
                int peer = sides.get(1 - i).qp().qpn();
                Pattern.expect(sides.get(i).buffer(), 1024, 64, peer + round, "peer's message");
            }
        }
    }

    private static void pairsApart(Rig rig) throws VerbsException {
        Rig.Pair healthy = rig.pair();
        Side requester = rig.side(healthy.requester().context(), SideOptions.standard());
        Side responder = rig.side(healthy.responder().context(), SideOptions.standard());
        rig.connect(requester, responder);
        Transfers.writes(healthy, 64);

        requester.post(
                Operation.WRITE.request(1, responder.at(0), 0, List.of(requester.sge(0, 8))));
        requester.sent(1, VerbsStatus.REM_ACCESS_ERR);

        Transfers.writes(healthy, 64);
        Transfers.sends(healthy, 64);
        healthy.requester().noMoreSends();
    }

    private static void readsBeyondDepth(Rig rig) throws VerbsException {
        SideOptions options =
                SideOptions.standard()
                        .with(QpAttribute.MAX_QP_RD_ATOMIC, 1)
                        .with(QpAttribute.MAX_DEST_RD_ATOMIC, 1);
        Rig.Pair pair = rig.pair(options);
        Side requester = pair.requester();
        Side responder = pair.responder();
        SendWorkRequest[] requests = new SendWorkRequest[16];
        for (int i = 0; i < requests.length; i++) {
            Operation operation = i % 2 == 0 ? Operation.READ : Operation.FETCH_AND_ADD;
            requests[i] =
                    operation.request(
                            i,
                            responder.at(0),
                            responder.region().rkey(),
                            List.of(requester.sge(0, 8)));
        }

        requester.post(requests);

        for (int i = 0; i < requests.length; i++) {
            requester.sent(i, VerbsStatus.SUCCESS);
        }
    }

    private static void writeImmediateLeavesReceive(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());
        Pattern.fill(requester.buffer(), 0, BYTES, 4);
        responder.receive(5, responder.sge(4096, BYTES));

        requester.post(
                Operation.WRITE_WITH_IMM.request(
                        1,
                        responder.at(1024),
                        responder.region().rkey(),
                        List.of(requester.sge(0, BYTES))));

        requester.sent(1, VerbsStatus.SUCCESS);
        responder.received(5, VerbsStatus.SUCCESS);
        Pattern.expectAlone(responder.buffer(), 1024, BYTES, 4, "data written");
    }

    private static void receiveLonger(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());
        Pattern.fill(pair.requester().buffer(), 0, BYTES, 4);
        responder.receive(5, responder.sge(1024, 4096));

        pair.requester()
                .post(Operation.SEND.request(1, 0, 0, List.of(pair.requester().sge(0, BYTES))));

        Expect.equal(BYTES, responder.received(5, VerbsStatus.SUCCESS).byteCount(), "byte count");
        Pattern.expectAlone(responder.buffer(), 1024, BYTES, 4, "data received");
    }

    private static void immediateAnyBits(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        for (int immediate : new int[] {0, 1, -1, Integer.MIN_VALUE, 0x1234_5678}) {
            pair.responder().receive(5);
            pair.requester()
                    .post(
                            new SendWorkRequest.SendWithImmediate(
                                    1, SendFlags.SIGNALLED, List.of(), immediate));
            pair.requester().sent(1, VerbsStatus.SUCCESS);
            WorkCompletion arrived = pair.responder().received(5, VerbsStatus.SUCCESS);
            Expect.equal(true, arrived.hasImmediate(), "an immediate");
            Expect.equal(immediate, arrived.immediate(), "immediate");
        }
    }
}
