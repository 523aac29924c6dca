package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Queues that fill, wrap and refuse; both tiers of posting. */
@CaseGroup("rc")
public final class PostCases {
    /** No ring of 16 requests is larger. */
    private static final int ENOUGH = 64;

    private PostCases() {}

    private static SendWorkRequest nothing(long wrId) {
        return Operation.WRITE.request(wrId);
    }

    @Case("a full send queue: ENOMEM; a polled completion frees its slot (ibv_post_send)")
    static void sendQueueFull(Side requester) throws VerbsException {
        int posted = 0;
        VerbsStatus status = requester.qp().postSend(nothing(0));
        while (status == VerbsStatus.SUCCESS && posted < ENOUGH) {
            posted++;
            status = requester.qp().postSend(nothing(posted));
        }
        Expect.equal(VerbsStatus.ENOMEM, status, "post to a full send queue");
        Expect.isTrue(
                posted >= requester.qp().limits().sendWr(),
                posted + " requests fit, must be " + requester.qp().limits().sendWr());

        requester.sent(0, VerbsStatus.SUCCESS);
        requester.post(nothing(posted));

        for (int i = 1; i <= posted; i++) {
            requester.sent(i, VerbsStatus.SUCCESS);
        }
        requester.noMoreSends();
    }

    @Case("a full receive queue: ENOMEM; a polled completion frees its slot (ibv_post_recv)")
    static void receiveQueueFull(Side requester, Side responder) throws VerbsException {
        int posted = 0;
        VerbsStatus status = responder.qp().postReceive(new ReceiveWorkRequest(0, List.of()));
        while (status == VerbsStatus.SUCCESS && posted < ENOUGH) {
            posted++;
            status = responder.qp().postReceive(new ReceiveWorkRequest(posted, List.of()));
        }
        Expect.equal(VerbsStatus.ENOMEM, status, "post to a full receive queue");
        Expect.isTrue(
                posted >= responder.qp().limits().receiveWr(),
                posted + " receives fit, must be " + responder.qp().limits().receiveWr());

        requester.post(Operation.SEND.request(1));
        responder.received(0, VerbsStatus.SUCCESS);
        responder.receive(posted);
        requester.sent(1, VerbsStatus.SUCCESS);

        for (int i = 1; i <= posted; i++) {
            requester.post(Operation.SEND.request(i));
            requester.sent(i, VerbsStatus.SUCCESS);
            responder.received(i, VerbsStatus.SUCCESS);
        }
    }

    @Case("a signalled completion frees the unsignalled requests before it; rings wrap many times")
    static void slotsReused(Side requester) throws VerbsException {
        int nextSignalled = 4;
        for (int i = 0; i < 2000; i++) {
            int flags = i % 5 == 4 ? SendFlags.SIGNALLED : SendFlags.NONE;
            SendWorkRequest request = Operation.WRITE.request(i, flags, 0, 0, List.of());
            VerbsStatus status = requester.qp().postSend(request);
            while (status == VerbsStatus.ENOMEM) {
                requester.sent(nextSignalled, VerbsStatus.SUCCESS);
                nextSignalled += 5;
                status = requester.qp().postSend(request);
            }
            Expect.equal(VerbsStatus.SUCCESS, status, "post " + i);
        }
        while (nextSignalled < 2000) {
            requester.sent(nextSignalled, VerbsStatus.SUCCESS);
            nextSignalled += 5;
        }
        requester.noMoreSends();
    }

    @Case("receive rings wrap many times")
    static void receiveSlotsReused(Side requester, Side responder) throws VerbsException {
        for (int i = 0; i < 5; i++) {
            responder.receive(i, responder.sge(i * 64L, 64));
        }
        for (int i = 0; i < 300; i++) {
            Pattern.fill(requester.buffer(), 0, 64, i);
            requester.post(Operation.SEND.request(i, requester.sge(0, 64)));
            requester.sent(i, VerbsStatus.SUCCESS);
            responder.received(i, VerbsStatus.SUCCESS);
            Pattern.expect(responder.buffer(), i % 5 * 64L, 64, i, "message " + i);
            responder.receive(i + 5L, responder.sge(i % 5 * 64L, 64));
        }
    }

    @Case("a list of requests is one batch, executed in order")
    static void batchInOrder(Side requester, Side responder) throws VerbsException {
        SendWorkRequest[] batch = new SendWorkRequest[16];
        for (int i = 0; i < batch.length; i++) {
            Pattern.fill(requester.buffer(), i * 64L, 64, i);
            // All to one place: the last one wins if they go in order.
            batch[i] = Operation.WRITE.request(i, responder, 0, requester.sge(i * 64L, 64));
        }

        requester.post(batch);

        for (int i = 0; i < batch.length; i++) {
            requester.sent(i, VerbsStatus.SUCCESS);
        }
        Pattern.expect(responder.buffer(), 0, 64, batch.length - 1, "last write of the batch");
    }

    @Case("a batch without room for all: ENOMEM and none is posted: choice")
    static void batchAllOrNone(Side requester, Side responder) throws VerbsException {
        List<SendWorkRequest> sends =
                IntStream.range(0, ENOUGH + 1).mapToObj(PostCases::nothing).toList();
        List<ReceiveWorkRequest> receives = IntStream.range(0, ENOUGH + 1)
                .mapToObj(i -> new ReceiveWorkRequest(i, List.of()))
                .toList();

        Expect.equal(VerbsStatus.ENOMEM, requester.qp().postSend(sends), "post of a large batch");
        Expect.equal(VerbsStatus.ENOMEM, responder.qp().postReceive(receives), "post of a large batch");

        requester.noMoreSends();
        requester.post(sends.subList(0, 16).toArray(SendWorkRequest[]::new));
        for (int i = 0; i < 16; i++) {
            requester.sent(i, VerbsStatus.SUCCESS);
        }
        responder.ends();
    }

    @Case("a batch with a request that cannot be held: EINVAL and none is posted: choice")
    static void batchWithOneBad(Side requester) throws VerbsException {
        SendWorkRequest bad = Operation.WRITE.request(1, 0, 0, many(requester));

        VerbsStatus found = requester.qp().postSend(List.of(nothing(0), bad, nothing(2)));

        Expect.equal(VerbsStatus.EINVAL, found, "post of a batch with a bad request");
        requester.noMoreSends();
    }

    static List<Sge> many(Side side) {
        return Collections.nCopies(side.qp().limits().sendSge() + 1, side.sge(0, 1));
    }

    @Case("more pieces than max_send_sge: EINVAL (ibv_post_send)")
    static void tooManyPieces(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();

        VerbsStatus found = requester
                .qp()
                .postSend(Operation.WRITE.request(
                        1, responder.at(0), responder.region().rkey(), many(requester)));

        Expect.equal(VerbsStatus.EINVAL, found, "post of too many pieces");
        requester.noMoreSends();
        Transfers.writes(pair, 64);
    }

    @Case("more pieces than max_recv_sge: EINVAL (ibv_post_recv)")
    static void receiveTooManyPieces(Side requester, Side responder) throws VerbsException {
        List<Sge> many = Collections.nCopies(responder.qp().limits().receiveSge() + 1, responder.sge(0, 1));

        VerbsStatus found = responder.qp().postReceive(new ReceiveWorkRequest(1, many));

        Expect.equal(VerbsStatus.EINVAL, found, "post of too many pieces");
        responder.ends();
    }

    @Case("a piece of negative length: EINVAL, and nothing is posted: choice")
    static void pieceOfNegativeLength(Side requester, Side responder) throws VerbsException {
        for (int length : new int[] {-1, Integer.MIN_VALUE}) {
            VerbsStatus sent = requester.qp().postSend(Operation.SEND.request(1, requester.sge(0, length)));
            Expect.equal(VerbsStatus.EINVAL, sent, "post_send of " + length + " bytes");
            VerbsStatus received =
                    responder.qp().postReceive(new ReceiveWorkRequest(1, List.of(responder.sge(0, length))));
            Expect.equal(VerbsStatus.EINVAL, received, "post_recv of " + length + " bytes");
        }

        requester.noMoreSends();
        responder.ends();
    }
}
