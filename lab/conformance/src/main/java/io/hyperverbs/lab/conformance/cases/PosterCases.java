package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.ValueLayout;

/** The reusable tier of posting: batches that are filled in place. */
@CaseGroup("rc")
public final class PosterCases {
    private PosterCases() {}

    @Case("the reusable tier: any operations, one doorbell (ibv_wr_start)")
    static void posterBatch(Side requester, Side responder) throws VerbsException {
        int lkey = requester.region().lkey();
        int rkey = responder.region().rkey();
        SendPoster poster = requester.qp().sends();
        for (int round = 0; round < 20; round++) {
            for (int wrId = 2; wrId <= 4; wrId++) {
                responder.receive(wrId, responder.sge(4096, 64));
            }
            Pattern.fill(requester.buffer(), 0, 64, round);
            responder.buffer().set(ValueLayout.JAVA_LONG, 1024, 5);
            poster.start();
            poster.rdmaWrite(1, SendFlags.NONE, responder.at(0), rkey)
                    .sge(lkey, requester.at(0), 30)
                    .sge(lkey, requester.at(30), 34);
            poster.send(2, SendFlags.NONE).sge(lkey, requester.at(0), 8);
            poster.sendWithImmediate(3, SendFlags.SIGNALLED, 33).sge(lkey, requester.at(0), 8);
            poster.rdmaWriteWithImmediate(4, SendFlags.SIGNALLED, responder.at(512), rkey, 44)
                    .sge(lkey, requester.at(0), 8);
            poster.rdmaRead(5, SendFlags.SIGNALLED, responder.at(0), rkey).sge(lkey, requester.at(2048), 64);
            poster.fetchAndAdd(6, SendFlags.SIGNALLED, responder.at(1024), rkey, 2)
                    .sge(lkey, requester.at(4096), 8);
            poster.compareAndSwap(7, SendFlags.SIGNALLED, responder.at(1024), rkey, 7, 9)
                    .sge(lkey, requester.at(4104), 8);

            Expect.equal(VerbsStatus.SUCCESS, poster.post(), "post of a batch");

            for (int wrId = 3; wrId <= 7; wrId++) {
                requester.sent(wrId, VerbsStatus.SUCCESS);
            }
            responder.received(2, VerbsStatus.SUCCESS);
            Expect.equal(33, responder.received(3, VerbsStatus.SUCCESS).immediate(), "immediate");
            Expect.equal(44, responder.received(4, VerbsStatus.SUCCESS).immediate(), "immediate");
            Pattern.expect(requester.buffer(), 2048, 64, round, "data written and read back");
            Expect.equal(9L, responder.buffer().get(ValueLayout.JAVA_LONG, 1024), "word after both atomics");
        }
    }

    @Case("start forgets an unfinished batch (ibv_wr_abort)")
    static void posterStartForgets(Side requester) throws VerbsException {
        SendPoster poster = requester.qp().sends();
        poster.start().rdmaWrite(1, SendFlags.SIGNALLED, 0, 0);
        poster.rdmaWrite(2, SendFlags.SIGNALLED, 0, 0);

        poster.start().rdmaWrite(3, SendFlags.SIGNALLED, 0, 0);
        Expect.equal(VerbsStatus.SUCCESS, poster.post(), "post");

        requester.sent(3, VerbsStatus.SUCCESS);
        requester.noMoreSends();
    }

    @Case("a mistake in a batch is answered by post, which then posts nothing (ibv_wr_complete)")
    static void posterRemembersMistake(Side requester) throws VerbsException {
        SendPoster poster = requester.qp().sends();
        poster.start().rdmaWrite(1, SendFlags.SIGNALLED, 0, 0);
        for (Sge piece : PostCases.many(requester)) {
            poster.sge(piece.lkey(), piece.address(), piece.lengthBytes());
        }
        poster.rdmaWrite(2, SendFlags.SIGNALLED, 0, 0);

        Expect.equal(VerbsStatus.EINVAL, poster.post(), "post of a batch with a mistake");

        requester.noMoreSends();
        poster.start().rdmaWrite(3, SendFlags.SIGNALLED, 0, 0);
        Expect.equal(VerbsStatus.SUCCESS, poster.post(), "post after a mistake");
        requester.sent(3, VerbsStatus.SUCCESS);
    }

    @Case("the reusable tier of receives: a batch, in order")
    static void receivePoster(Side requester, Side responder) throws VerbsException {
        int lkey = responder.region().lkey();
        ReceivePoster poster = responder.qp().receives();
        for (int round = 0; round < 20; round++) {
            Pattern.fill(requester.buffer(), 0, 64, round);
            poster.start();
            poster.receive(1).sge(lkey, responder.at(0), 64);
            poster.receive(2).sge(lkey, responder.at(64), 4).sge(lkey, responder.at(68), 60);
            Expect.equal(VerbsStatus.SUCCESS, poster.post(), "post of a batch");

            for (int wrId = 1; wrId <= 2; wrId++) {
                requester.post(Operation.SEND.request(wrId, requester.sge(0, 64)));
                requester.sent(wrId, VerbsStatus.SUCCESS);
                responder.received(wrId, VerbsStatus.SUCCESS);
                Pattern.expect(responder.buffer(), (wrId - 1) * 64L, 64, round, "message");
            }
        }
    }
}
