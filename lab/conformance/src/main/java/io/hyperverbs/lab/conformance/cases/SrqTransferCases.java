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
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.List;
import java.util.Set;

/** Messages into shared receive queues, good ones and bad ones. */
@CaseGroup("srq")
public final class SrqTransferCases {
    private SrqTransferCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.values()) {
            cases.add(
                    operation.label() + "-works",
                    "every operation works towards a queue pair on a shared queue; a receive is"
                            + " spent by sends and writes with immediate alone",
                    rig -> works(rig, operation));
        }
        for (int length : new int[] {0, 1, 63, 64, 65, 2047, 2048, 2049, 8192}) {
            cases.add(
                    "send-of-" + length + "-bytes",
                    "a message of any length that the receive holds arrives whole",
                    rig -> length(rig, length));
        }
        for (int links : new int[] {1, 2, 3, 5}) {
            cases.add(
                    "order-over-" + links + "-connections",
                    "receives are taken in the order posted, by whoever needs one",
                    rig -> order(rig, links));
        }
    }

    private static void works(Rig rig, Operation operation) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.post(1, shared.sge(0, 64));
        shared.post(2, shared.sge(64, 64));

        link.sender.post(
                operation.request(7, link.exposed.address(), link.exposed.rkey(), List.of(link.sender.sge(0, 8))));

        WorkCompletion sent = link.sender.sent(7, VerbsStatus.SUCCESS);
        Expect.equal(operation.opcode(), sent.opcode(), "opcode");
        if (operation.consumesReceive()) {
            WorkCompletion received = link.received(1, VerbsStatus.SUCCESS);
            Expect.equal(operation.hasImmediate(), received.hasImmediate(), "immediate data");
            if (operation.hasImmediate()) {
                Expect.equal(Operation.IMMEDIATE, received.immediate(), "immediate data");
            }
        }
        link.sends(8, 64);
        link.received(operation.consumesReceive() ? 2 : 1, VerbsStatus.SUCCESS);
    }

    private static void length(Rig rig, int length) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        Pattern.blank(shared.buffer);
        Pattern.fill(link.sender.buffer(), 0, length, 5);
        shared.post(1, shared.sge(0, 8192));

        link.sends(1, length);

        WorkCompletion received = link.received(1, VerbsStatus.SUCCESS);
        Expect.equal(length, received.byteCount(), "bytes received");
        Pattern.expectAlone(shared.buffer, 0, length, 5, "data received");
    }

    private static void order(Rig rig, int count) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link[] links = new SharedQueueRig.Link[count];
        for (int i = 0; i < count; i++) {
            links[i] = shared.link();
        }
        shared.fill(0, SharedQueueRig.CAPACITY);

        for (int i = 0; i < 4 * SharedQueueRig.CAPACITY; i++) {
            SharedQueueRig.Link link = links[(i * 7 + i / 3) % count];
            link.carries(i, 64);
            shared.post(i + SharedQueueRig.CAPACITY, shared.sge(0, 64));
        }
    }

    @Case("a message is scattered over the pieces of its receive")
    static void twoPieces(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        Pattern.fill(link.sender.buffer(), 0, 100, 5);
        shared.post(1, shared.sge(60, 40), shared.sge(0, 60));
        Pattern.blank(shared.buffer);

        link.sends(1, 100);

        link.received(1, VerbsStatus.SUCCESS);
        Pattern.expect(shared.buffer, 60, 40, 5, "first piece");
        for (int i = 0; i < 60; i++) {
            Expect.equal(
                    Pattern.at(5, 40 + i),
                    shared.buffer.get(java.lang.foreign.ValueLayout.JAVA_BYTE, i),
                    "byte " + i + " of the second piece");
        }
    }

    @Case("no receive there: the sender waits and goes on when one is posted (RNR)")
    static void emptyQueueWaits(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        link.sender.post(Operation.SEND.request(1, link.sender.sge(0, 64)));
        link.sender.sends().pollsEmpty();

        shared.post(50, shared.sge(0, 64));

        link.sender.sent(1, VerbsStatus.SUCCESS);
        link.received(50, VerbsStatus.SUCCESS);
    }

    @Case("no receive within the RNR retries: RNR_RETRY_EXC_ERR")
    static void emptyQueueExhaustsRetries(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link(SideOptions.impatient());

        link.sender.post(Operation.SEND.request(1, link.sender.sge(0, 64)));

        link.sender.sent(1, VerbsStatus.RNR_RETRY_EXC_ERR);
        Expect.equal(QpState.RTS, link.qp.query().state(), "state of the responder");
    }

    @Case("LOC_LEN_ERR and REM_INV_REQ_ERR; other queue pairs go on")
    static void receiveTooSmall(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        shared.post(1, shared.sge(0, 63));
        fails(shared, VerbsStatus.LOC_LEN_ERR, VerbsStatus.REM_INV_REQ_ERR);
    }

    @Case("keys of receives are looked up in the PD of the shared queue: LOC_PROT_ERR and REM_OP_ERR")
    static void receiveKeyOfTheQpPd(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        MemoryRegion ofQp = rig.closing(shared.qpPd.register(shared.buffer, Set.of(Access.LOCAL_WRITE)));
        shared.post(1, ofQp.sge(0, 64));
        fails(shared, VerbsStatus.LOC_PROT_ERR, VerbsStatus.REM_OP_ERR);
    }

    @Case("a receive with a bad lkey: LOC_PROT_ERR and REM_OP_ERR")
    static void receiveBadKey(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        shared.post(1, new io.hyperverbs.verbs.Sge(shared.region.address(), 64, shared.region.lkey() ^ 0x0101_0101));
        fails(shared, VerbsStatus.LOC_PROT_ERR, VerbsStatus.REM_OP_ERR);
    }

    @Case("a receive into memory without LOCAL_WRITE: LOC_PROT_ERR and REM_OP_ERR")
    static void receiveWithoutLocalWrite(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        MemoryRegion readOnly = rig.closing(shared.srqPd.register(shared.buffer, Set.of()));
        shared.post(1, readOnly.sge(0, 64));
        fails(shared, VerbsStatus.LOC_PROT_ERR, VerbsStatus.REM_OP_ERR);
    }

    /** The receive posted fails on one connection, and the next is for the other. */
    private static void fails(SharedQueueRig shared, VerbsStatus local, VerbsStatus remote) throws VerbsException {
        SharedQueueRig.Link bad = shared.link();
        SharedQueueRig.Link good = shared.link();
        Pattern.blank(shared.buffer);

        bad.sender.post(Operation.SEND.request(1, bad.sender.sge(0, 64)));

        bad.sender.sent(1, remote);
        bad.received(1, local);
        Pattern.expectBlank(shared.buffer, 0, 64, "buffer of the receive");
        Expect.equal(QpState.ERR, bad.qp.query().state(), "state of the responder");
        shared.fill(2, 1);
        good.carries(2, 64);
    }

    @Case("remote keys are looked up in the PD of the queue pair: REM_ACCESS_ERR")
    static void remoteKeyOfTheSrqPd(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        Pattern.blank(shared.buffer);

        link.sender.post(Operation.WRITE.request(
                1, shared.region.address(), shared.region.rkey(), List.of(link.sender.sge(0, 64))));

        link.sender.sent(1, VerbsStatus.REM_ACCESS_ERR);
        Pattern.expectBlank(shared.buffer, 0, 64, "region of the shared queue's PD");
    }

    @Case("a queue pair in ERR flushes nothing that is still in the shared queue")
    static void errLeavesReceivesToOthers(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link bad = shared.link();
        SharedQueueRig.Link good = shared.link();
        shared.fill(1, 3);

        bad.qp.modify(QpAttributes.to(QpState.ERR));

        for (int i = 1; i <= 3; i++) {
            good.carries(i, 64);
        }
        bad.receives.pollsEmpty();
    }

    @Case("a queue pair destroyed leaves the shared queue as it is")
    static void destroyedLeavesReceivesToOthers(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link gone = shared.link();
        SharedQueueRig.Link stays = shared.link();
        shared.fill(1, 3);
        gone.carries(1, 64);

        gone.qp.close();

        stays.carries(2, 64);
        stays.carries(3, 64);
    }

    @Case("a queue pair reset and connected again takes receives as before")
    static void resetAndConnectAgain(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link link = shared.link();
        shared.fill(1, 3);
        link.carries(1, 64);

        link.qp.modify(QpAttributes.to(QpState.RESET));
        link.sender.to(QpState.RESET);
        link.connect();

        link.carries(2, 64);
        link.carries(3, 64);
    }

    @Case("a program that polls never overruns a CQ of as many entries as receives")
    static void smallCqNeverOverruns(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link first = shared.new Link(SideOptions.standard(), 8);
        SharedQueueRig.Link second = shared.new Link(SideOptions.standard(), 8);
        shared.fill(0, SharedQueueRig.CAPACITY);

        for (int i = 0; i < 200; i++) {
            SharedQueueRig.Link link = i % 16 < 12 ? first : second;
            link.carries(i, 64);
            shared.fill(SharedQueueRig.CAPACITY + i, 1);
        }
    }

    @Case("a thousand messages over two connections: none lost, none twice")
    static void longRun(Rig rig) throws VerbsException {
        SharedQueueRig shared = new SharedQueueRig(rig);
        SharedQueueRig.Link first = shared.link();
        SharedQueueRig.Link second = shared.link();
        shared.fill(0, SharedQueueRig.CAPACITY);
        for (int i = 0; i < 1000; i++) {
            SharedQueueRig.Link link = i % 2 == 0 ? first : second;
            link.sends(i, 16);
            link.received(i, VerbsStatus.SUCCESS);
            shared.fill(SharedQueueRig.CAPACITY + i, 1);
        }
    }
}
