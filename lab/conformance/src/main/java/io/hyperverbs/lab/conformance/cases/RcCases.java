package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.List;

/** What a reliable connection does when nothing goes wrong. */
@CaseGroup("rc")
public final class RcCases {
    static final int BYTES = 100;

    private RcCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.values()) {
            cases.add(
                    operation.label() + "-completes",
                    "completions of both sides: opcode, byte count, QPN, immediate (ibv_poll_cq)",
                    rig -> completes(rig, operation));
            cases.add(
                    operation.label() + "-unsignalled",
                    "an unsignalled success writes no completion (ibv_post_send)",
                    rig -> unsignalled(rig, operation));
            cases.add(
                    operation.label() + "-to-itself",
                    "a queue pair may be connected to itself (IBA 9.2)",
                    rig -> toItself(rig, operation));
        }
        for (int psn : new int[] {0, 1, 0x7f_ffff, 0xff_fff8, 0xff_ffff}) {
            cases.add(
                    "psn-from-" + Integer.toHexString(psn),
                    "packet sequence numbers wrap at 24 bits (IBA 9.7.1)",
                    rig -> startsAtPsn(rig, psn));
        }
        for (int mtu : new int[] {256, 512, 1024, 2048, 4096}) {
            cases.add(
                    "path-mtu-" + mtu,
                    "a path MTU up to the port's active MTU carries messages of many packets; above: EINVAL",
                    rig -> pathMtu(rig, mtu));
        }
    }

    private static void completes(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        int bytes = operation.isAtomic() ? 8 : BYTES;
        responder.receive(5, responder.sge(1024, BYTES));

        requester.post(operation.request(1, responder, 0, requester.sge(0, bytes)));

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

        requester.post(operation.request(
                1, SendFlags.NONE, responder.at(0), responder.region().rkey(), List.of(requester.sge(0, bytes))));

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

        side.post(operation.request(1, side, 2048, side.sge(0, 8)));

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
            case READ, COMPARE_AND_SWAP, FETCH_AND_ADD -> Pattern.expect(side.buffer(), 0, 8, 2, "fetched");
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
                () -> side.qp().modify(QpAttributes.toRtr(side.endpoint()).with(QpAttribute.PATH_MTU, mtuBytes)));
    }
}
