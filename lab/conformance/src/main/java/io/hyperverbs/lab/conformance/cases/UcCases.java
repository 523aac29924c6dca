package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.lab.conformance.rig.UcSide;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.WorkCompletion.Opcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What an unreliable connection carries when nothing is wrong. */
@CaseGroup("uc")
public final class UcCases {
    private static final Set<Operation> CARRIED = EnumSet.range(Operation.SEND, Operation.WRITE_WITH_IMM);
    // Nothing, the bounds of a packet of the path MTU, several pieces of the engine's work.
    private static final int[] SIZES = {0, 1, 2048, 2049, 200_001};

    private UcCases() {}

    @CaseFamily
    static void states(CaseList cases) {
        SqeCases.add(cases, rig -> UcSide.open(rig, "side"));
    }

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : CARRIED) {
            for (int size : SIZES) {
                cases.add(
                        operation.label() + "-of-" + size,
                        "UC carries sends and writes of any length, with and without immediate (IBA 9.8.2,"
                                + " ibv_post_send)",
                        rig -> carries(rig, operation, size));
            }
        }
    }

    private static void carries(Rig rig, Operation operation, int lengthBytes) throws VerbsException {
        SideOptions options = SideOptions.standard().withBufferBytes(lengthBytes + 64L);
        UcSide.Pair pair = UcSide.pair(rig, options, options);
        UcSide from = pair.requester();
        UcSide to = pair.responder();
        Pattern.fill(from.buffer(), 0, lengthBytes, 1);
        Pattern.blank(to.buffer());
        boolean isSend = operation == Operation.SEND || operation == Operation.SEND_WITH_IMM;
        if (operation.consumesReceive()) {
            to.receive(2, isSend ? new Sge[] {to.sge(32, lengthBytes)} : new Sge[0]);
        }

        from.post(operation.request(1, to, 32, from.sge(0, lengthBytes)));

        Expect.equal(operation.opcode(), from.sent(1, VerbsStatus.SUCCESS).opcode(), "opcode");
        if (operation.consumesReceive()) {
            expectReceived(to.received(2, VerbsStatus.SUCCESS), operation, lengthBytes);
        }
        Pattern.expectAlone(to.buffer(), 32, lengthBytes, 1, "data");
        from.ends();
        to.ends();
    }

    private static void expectReceived(WorkCompletion completion, Operation operation, int lengthBytes) {
        Expect.equal(
                operation == Operation.WRITE_WITH_IMM ? Opcode.RECV_RDMA_WITH_IMM : Opcode.RECV,
                completion.opcode(),
                "opcode of the receive");
        Expect.equal(lengthBytes, completion.byteCount(), "bytes received");
        Expect.equal(operation.hasImmediate(), completion.hasImmediate(), "IBV_WC_WITH_IMM");
        if (operation.hasImmediate()) {
            Expect.equal(Operation.IMMEDIATE, completion.immediate(), "immediate data");
        }
        Expect.isTrue(!completion.hasGrh(), "IBV_WC_GRH without a header");
    }

    @Case("pieces of a request are one message, spread over the pieces of a receive")
    static void scattersIntoPieces(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide from = pair.requester();
        UcSide to = pair.responder();
        Pattern.fill(from.buffer(), 0, 300, 1);
        to.receive(2, to.sge(0, 7), to.sge(7, 0), to.sge(7, 100), to.sge(107, 1000));

        from.post(Operation.SEND.request(1, from.sge(0, 1), from.sge(1, 199), from.sge(200, 100)));

        from.sent(1, VerbsStatus.SUCCESS);
        Expect.equal(300, to.received(2, VerbsStatus.SUCCESS).byteCount(), "bytes received");
        Pattern.expect(to.buffer(), 0, 300, 1, "data");
    }

    @Case("inline data: the lkey is not checked (ibv_post_send)")
    static void inlineNeedsNoKey(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide from = pair.requester();
        UcSide to = pair.responder();
        Pattern.fill(from.buffer(), 0, 48, 1);
        to.receive(2, to.sge(0, 48));

        from.post(Operation.SEND.request(
                1, SendFlags.SIGNALLED | SendFlags.INLINE, 0, 0, List.of(new Sge(from.at(0), 48, UcSide.NO_KEY))));
        Pattern.blank(from.buffer());

        from.sent(1, VerbsStatus.SUCCESS);
        to.received(2, VerbsStatus.SUCCESS);
        Pattern.expect(to.buffer(), 0, 48, 1, "data as it was when posted");
    }

    @Case("messages of one queue pair arrive in the order of their posts (IBA 9.8.2)")
    static void keepsOrder(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        for (int i = 0; i < 8; i++) {
            pair.responder().receive(100 + i, pair.responder().sge(i * 64L, 64));
        }

        for (int i = 0; i < 8; i++) {
            Pattern.fill(pair.requester().buffer(), i * 64L, 1 + i, i);
            pair.requester().post(Operation.SEND.request(i, pair.requester().sge(i * 64L, 1 + i)));
        }

        for (int i = 0; i < 8; i++) {
            pair.requester().sent(i, VerbsStatus.SUCCESS);
            Expect.equal(
                    1 + i,
                    pair.responder().received(100 + i, VerbsStatus.SUCCESS).byteCount(),
                    "bytes of message " + i);
            Pattern.expect(pair.responder().buffer(), i * 64L, 1 + i, i, "message " + i);
        }
    }

    @Case("the two directions of a connection are independent (IBA 9.8.2)")
    static void bothWaysAtOnce(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide one = pair.requester();
        UcSide other = pair.responder();
        one.receive(1, one.sge(4096, 64));
        other.receive(2, other.sge(4096, 64));

        one.post(Operation.SEND.request(3, one.sge(0, 64)));
        other.post(Operation.SEND.request(4, other.sge(0, 64)));

        one.sent(3, VerbsStatus.SUCCESS);
        other.sent(4, VerbsStatus.SUCCESS);
        one.received(1, VerbsStatus.SUCCESS);
        other.received(2, VerbsStatus.SUCCESS);
    }

    @Case("a queue pair may be connected to itself: loopback (IBA 17.2.2)")
    static void toItself(Rig rig) throws VerbsException {
        UcSide side = UcSide.open(rig, "side");
        side.connect(side.endpoint());
        Pattern.fill(side.buffer(), 0, 100, 1);
        side.receive(2, side.sge(4096, 100));

        side.post(Operation.SEND.request(1, side.sge(0, 100)));

        side.sent(1, VerbsStatus.SUCCESS);
        side.received(2, VerbsStatus.SUCCESS);
        Pattern.expect(side.buffer(), 4096, 100, 1, "data");
    }

    @Case("no bytes: neither address nor key is looked at (IBA C9-88)")
    static void zeroLengthWriteAnyKey(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        pair.responder().receive(2);

        pair.requester().post(Operation.WRITE_WITH_IMM.request(1, -1, UcSide.NO_KEY, List.of()));

        pair.requester().sent(1, VerbsStatus.SUCCESS);
        Expect.equal(0, pair.responder().received(2, VerbsStatus.SUCCESS).byteCount(), "bytes received");
    }

    @Case("without SIGNALLED a success writes no completion (ibv_post_send)")
    static void unsignalledSendIsSilent(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        UcSide from = pair.requester();
        pair.responder().receive(2, pair.responder().sge(0, 8));

        from.post(Operation.SEND.request(1, SendFlags.NONE, 0, 0, List.of(from.sge(0, 8))), from.harmless(3));

        from.sent(3, VerbsStatus.SUCCESS);
        pair.responder().received(2, VerbsStatus.SUCCESS);
    }
}
