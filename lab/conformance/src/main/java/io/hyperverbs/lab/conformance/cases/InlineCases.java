package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Payload inside the work request. */
@CaseGroup("rc")
public final class InlineCases {
    private static final int INLINE_BYTES = 100;

    private InlineCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (int length : new int[] {0, 1, 8, 63, 64, INLINE_BYTES}) {
            cases.add(
                    "inline-" + length + "-bytes",
                    "inline payload up to max_inline_data arrives; its buffer is free at once and"
                            + " needs no lkey (ibv_post_send)",
                    rig -> arrives(rig, length));
        }
    }

    private static SideOptions options() {
        SideOptions standard = SideOptions.standard();
        return standard.withLimits(standard.limits().withInlineBytes(INLINE_BYTES));
    }

    private static void arrives(Rig rig, int lengthBytes) throws VerbsException {
        Rig.Pair pair = rig.pair(options());
        Side requester = pair.requester();
        Side responder = pair.responder();
        MemorySegment source = MemorySegment.ofArray(new byte[lengthBytes + 3]);
        Pattern.blank(responder.buffer());
        responder.receive(5, responder.sge(4096, INLINE_BYTES));

        Pattern.fill(source, 3, lengthBytes, 1);
        Expect.equal(
                VerbsStatus.SUCCESS,
                requester
                        .qp()
                        .sends()
                        .start()
                        .rdmaWrite(
                                1,
                                SendFlags.SIGNALLED,
                                responder.at(0),
                                responder.region().rkey())
                        .inline(source, 3, lengthBytes)
                        .post(),
                "post of an inline write");
        source.fill((byte) 0);
        Pattern.fill(source, 3, lengthBytes, 2);
        Expect.equal(
                VerbsStatus.SUCCESS,
                requester
                        .qp()
                        .sends()
                        .start()
                        .send(2, SendFlags.SIGNALLED)
                        .inline(source, 3, lengthBytes)
                        .post(),
                "post of an inline send");
        source.fill((byte) 0);

        requester.sent(1, VerbsStatus.SUCCESS);
        requester.sent(2, VerbsStatus.SUCCESS);
        Expect.equal(lengthBytes, responder.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
        Pattern.expect(responder.buffer(), 0, lengthBytes, 1, "data written");
        Pattern.expect(responder.buffer(), 4096, lengthBytes, 2, "data received");
    }

    @Case("inline payload above max_inline_data: EINVAL, and nothing is posted")
    static void inlineTooLong(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(options());
        Side requester = pair.requester();
        Side responder = pair.responder();
        int length = requester.qp().limits().inlineBytes() + 1;
        MemorySegment source = MemorySegment.ofArray(new byte[length]);

        VerbsStatus found = requester
                .qp()
                .sends()
                .start()
                .rdmaWrite(
                        1,
                        SendFlags.SIGNALLED,
                        responder.at(0),
                        responder.region().rkey())
                .inline(source, 0, length)
                .post();

        Expect.equal(VerbsStatus.EINVAL, found, "post of " + length + " bytes inline");
        requester.noMoreSends();
        Transfers.writes(pair, 64);
    }

    @Case("a record with the INLINE flag is copied at post, whatever its lkey")
    static void inlineFlagInARecord(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(options());
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.fill(requester.buffer(), 0, 64, 1);

        requester.post(Operation.WRITE.request(
                1,
                SendFlags.SIGNALLED | SendFlags.INLINE,
                responder.at(0),
                responder.region().rkey(),
                List.of(new Sge(requester.at(0), 40, 0), new Sge(requester.at(40), 24, -1))));
        requester.buffer().fill((byte) 0);

        requester.sent(1, VerbsStatus.SUCCESS);
        Pattern.expect(responder.buffer(), 0, 64, 1, "data written");
    }

    @Case("INLINE is for sends and writes: EINVAL at post, or LOC_QP_OP_ERR: choice")
    static void inlineRead(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(options());
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());

        VerbsStatus posted = requester
                .qp()
                .sends()
                .start()
                .rdmaRead(
                        1,
                        SendFlags.SIGNALLED,
                        responder.at(0),
                        responder.region().rkey())
                .inline(MemorySegment.ofArray(new byte[8]), 0, 8)
                .post();

        if (posted == VerbsStatus.SUCCESS) {
            requester.sent(1, VerbsStatus.LOC_QP_OP_ERR);
            requester.expectState(QpState.ERR);
        } else {
            Expect.equal(VerbsStatus.EINVAL, posted, "post of an inline read");
            requester.noMoreSends();
        }
        responder.expectState(QpState.RTS);
    }
}
