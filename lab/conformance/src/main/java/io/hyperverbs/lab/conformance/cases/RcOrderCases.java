package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/** Several requests under way: what completes, in which order, and what a receive gets of it. */
@CaseGroup("rc")
public final class RcOrderCases {
    private RcOrderCases() {}

    private static SendWorkRequest write(Rig.Pair pair, long wrId, int flags, int bytes) {
        Side responder = pair.responder();
        return new SendWorkRequest.RdmaWrite(
                wrId,
                flags,
                List.of(pair.requester().sge(0, bytes)),
                responder.at(0),
                responder.region().rkey());
    }

    @Case("sq_sig_all: every request completes, flag or not (ibv_create_qp)")
    static void allSignalled(Rig rig) throws VerbsException {
        SideOptions standard = SideOptions.standard();
        Rig.Pair pair = rig.pair(standard.withLimits(standard.limits().withAllSignalled()));
        for (int i = 0; i < 40; i++) {
            int flags = i % 2 == 0 ? SendFlags.NONE : SendFlags.SIGNALLED;
            pair.requester().post(write(pair, i, flags, 8));
            pair.requester().sent(i, VerbsStatus.SUCCESS);
        }
    }

    @Case("exactly the signalled requests complete, in order (ibv_post_send)")
    static void everyFourthSignalled(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        for (int i = 0; i < 200; i++) {
            boolean signalled = i % 4 == 3;
            pair.requester().post(write(pair, i, signalled ? SendFlags.SIGNALLED : SendFlags.NONE, 8));
            if (signalled) {
                pair.requester().sent(i, VerbsStatus.SUCCESS);
            }
        }
        pair.requester().noMoreSends();
    }

    @Case("receives are consumed in the order they were posted (IBA 9.5)")
    static void messagesInOrder(Side requester, Side responder) throws VerbsException {
        for (int round = 0; round < 8; round++) {
            List<SendWorkRequest> sends = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                responder.receive(i, responder.sge(i * 64L, 64));
                sends.add(Operation.SEND.request(i, requester.sge(0, i + 1)));
            }
            requester.post(sends.toArray(SendWorkRequest[]::new));
            for (int i = 0; i < 16; i++) {
                requester.sent(i, VerbsStatus.SUCCESS);
                WorkCompletion arrived = responder.received(i, VerbsStatus.SUCCESS);
                Expect.equal(i + 1, arrived.byteCount(), "bytes of message " + i);
            }
        }
    }

    @Case("data of a write is there when a later send arrives (IBA 9.5)")
    static void writeBeforeSend(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        for (int round = 0; round < 50; round++) {
            Pattern.fill(requester.buffer(), 0, 4096, round);
            responder.receive(5);
            requester.post(write(pair, 1, SendFlags.NONE, 4096), Operation.SEND.request(2));
            responder.received(5, VerbsStatus.SUCCESS);
            Pattern.expect(responder.buffer(), 0, 4096, round, "data written before the send");
            requester.sent(2, VerbsStatus.SUCCESS);
        }
    }

    @Case("a read sees the writes posted before it (IBA 9.5)")
    static void readAfterWrite(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        for (int round = 0; round < 50; round++) {
            Pattern.fill(requester.buffer(), 0, 2048, round);
            requester.post(
                    write(pair, 1, SendFlags.NONE, 2048),
                    Operation.READ.request(2, responder, 0, requester.sge(4096, 2048)));
            requester.sent(2, VerbsStatus.SUCCESS);
            Pattern.expect(requester.buffer(), 4096, 2048, round, "data read back");
        }
    }

    @Case("FENCE: a request starts after earlier reads ended (ibv_post_send)")
    static void fence(Rig rig) throws VerbsException {
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

    @Case("both sides send at once; neither sees its own messages")
    static void bothDirections(Side requester, Side responder) throws VerbsException {
        List<Side> sides = List.of(requester, responder);
        for (int round = 0; round < 20; round++) {
            for (Side side : sides) {
                Pattern.fill(side.buffer(), 0, 64, side.qp().qpn() + round);
                side.receive(round, side.sge(1024, 64));
            }
            for (Side side : sides) {
                side.post(Operation.SEND.request(round, side.sge(0, 64)));
            }
            for (int i = 0; i < 2; i++) {
                sides.get(i).sent(round, VerbsStatus.SUCCESS);
                sides.get(i).received(round, VerbsStatus.SUCCESS);
                int peer = sides.get(1 - i).qp().qpn();
                Pattern.expect(sides.get(i).buffer(), 1024, 64, peer + round, "peer's message");
            }
        }
    }

    @Case("an error on one connection leaves another alone")
    static void pairsApart(Rig rig) throws VerbsException {
        Rig.Pair healthy = rig.pair();
        Side requester = rig.side(healthy.requester().context(), SideOptions.standard());
        Side responder = rig.side(healthy.responder().context(), SideOptions.standard());
        rig.connect(requester, responder);
        Transfers.writes(healthy, 64);

        requester.post(Operation.WRITE.request(1, responder.at(0), 0, List.of(requester.sge(0, 8))));
        requester.sent(1, VerbsStatus.REM_ACCESS_ERR);

        Transfers.writes(healthy, 64);
        Transfers.sends(healthy, 64);
        healthy.requester().noMoreSends();
    }

    @Case("reads and atomics beyond max_rd_atomic wait their turn (ibv_modify_qp)")
    static void readsBeyondDepthWait(Rig rig) throws VerbsException {
        SideOptions options =
                SideOptions.standard().with(QpAttribute.MAX_QP_RD_ATOMIC, 1).with(QpAttribute.MAX_DEST_RD_ATOMIC, 1);
        Rig.Pair pair = rig.pair(options);
        Side requester = pair.requester();
        Side responder = pair.responder();
        SendWorkRequest[] requests = new SendWorkRequest[16];
        for (int i = 0; i < requests.length; i++) {
            Operation operation = i % 2 == 0 ? Operation.READ : Operation.FETCH_AND_ADD;
            requests[i] = operation.request(i, responder, 0, requester.sge(0, 8));
        }

        requester.post(requests);

        for (int i = 0; i < requests.length; i++) {
            requester.sent(i, VerbsStatus.SUCCESS);
        }
    }

    @Case("a write with immediate consumes a receive and leaves its buffer alone")
    static void writeImmDataNotInReceive(Side requester, Side responder) throws VerbsException {
        Pattern.blank(responder.buffer());
        Pattern.fill(requester.buffer(), 0, RcCases.BYTES, 4);
        responder.receive(5, responder.sge(4096, RcCases.BYTES));

        requester.post(Operation.WRITE_WITH_IMM.request(1, responder, 1024, requester.sge(0, RcCases.BYTES)));

        requester.sent(1, VerbsStatus.SUCCESS);
        responder.received(5, VerbsStatus.SUCCESS);
        Pattern.expectAlone(responder.buffer(), 1024, RcCases.BYTES, 4, "data written");
    }

    @Case("a receive may be longer than the message; the rest stays untouched")
    static void receiveLongerThanMessage(Side requester, Side responder) throws VerbsException {
        Pattern.blank(responder.buffer());
        Pattern.fill(requester.buffer(), 0, RcCases.BYTES, 4);
        responder.receive(5, responder.sge(1024, 4096));

        requester.post(Operation.SEND.request(1, requester.sge(0, RcCases.BYTES)));

        Expect.equal(RcCases.BYTES, responder.received(5, VerbsStatus.SUCCESS).byteCount(), "byte count");
        Pattern.expectAlone(responder.buffer(), 1024, RcCases.BYTES, 4, "data received");
    }

    @Case("immediate data arrives bit for bit")
    static void immediateAnyBits(Side requester, Side responder) throws VerbsException {
        for (int immediate : new int[] {0, 1, -1, Integer.MIN_VALUE, 0x1234_5678}) {
            responder.receive(5);
            requester.post(new SendWorkRequest.SendWithImmediate(1, SendFlags.SIGNALLED, List.of(), immediate));
            requester.sent(1, VerbsStatus.SUCCESS);
            WorkCompletion arrived = responder.received(5, VerbsStatus.SUCCESS);
            Expect.equal(true, arrived.hasImmediate(), "an immediate");
            Expect.equal(immediate, arrived.immediate(), "immediate");
        }
    }
}
