package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Psn;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.rc.Answer;
import io.hyperverbs.hca.rc.Responder;
import io.hyperverbs.hca.schedule.QpArbiter;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.RequestHeaders;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.wire.AethLayout;
import io.hyperverbs.hca.wire.AethSyndrome;
import io.hyperverbs.hca.wire.AtomicAckEthLayout;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketTable;
import java.lang.foreign.MemorySegment;

/**
 * What a responder of RC says: answers to reads and atomics in their order, and after them one acknowledgement of all
 * that came in a batch. Answers to long reads take turns with everything else. Engine thread only.
 */
final class RcResponses {
    /** Bytes of one answer between two looks at anything else. */
    private static final long CHUNK_BYTES = 64 * 1024;

    /** Of an acknowledgement, with its ICRC. */
    static final int ACK_BYTES = BthLayout.SIZE_BYTES + AethLayout.SIZE_BYTES + Icrc.SIZE_BYTES;

    private final Ports ports;
    private final Responder responder;
    private final QpArbiter arbiter;
    private final ContextMemory contexts;
    private final Message read = new Message();
    private final SgList packet;
    private final int[] due;
    private int dueCount;

    RcResponses(Ports ports, Responder responder, QpArbiter arbiter, ContextMemory contexts, int maxQp) {
        this.ports = ports;
        this.responder = responder;
        this.arbiter = arbiter;
        this.contexts = contexts;
        this.packet = new SgList(contexts.memory());
        this.due = new int[maxQp];
    }

    /** All before the expected packet is executed; it is said at the end of the batch, if the requester asks. */
    void acknowledge(Qp qp, WireQp wire, boolean isAsked) {
        if (isAsked) {
            wire.ackDue = true;
            if (!wire.isListed) {
                wire.isListed = true;
                due[dueCount++] = qp.index();
            }
        }
    }

    /** Whether acknowledgements are due. */
    boolean areDue() {
        return dueCount > 0;
    }

    /** A batch of packets is done: writes the acknowledgements that are due, as far as there is room. */
    void endBatch(QpTable qps, WireQps wires) {
        int waiting = 0;
        for (int i = 0; i < dueCount; i++) {
            Qp qp = qps.at(due[i]);
            WireQp wire = qp == null ? null : wires.find(qp);
            if (qp == null || wire == null) {
                continue;
            }
            if (ports.writer(qp).hasRoom(1)) {
                wire.isListed = false;
                conclude(qp, wire);
            } else {
                due[waiting++] = due[i];
            }
        }
        dueCount = waiting;
    }

    /** The expected packet cannot be executed now, or another one came: says so, once until it comes. */
    void nakOnce(Qp qp, WireQp wire, int syndrome) {
        if (!wire.nakSent) {
            wire.nakSent = true;
            nak(qp, wire, syndrome);
        }
    }

    /** Says why the expected packet is not executed, after the answers that are owed for those before it. */
    void nak(Qp qp, WireQp wire, int syndrome) {
        wire.nak = syndrome;
        wire.nakPsn = qp.rqPsn();
        conclude(qp, wire);
    }

    /** A read or atomic was executed, or is to be answered again. */
    void answer(Qp qp, WireQp wire) {
        long _ = respond(qp, wire);
    }

    /** Whether there is something to be said that waits for its turn. */
    boolean isPending(Qp qp, WireQp wire) {
        return wire.responses.isPending() && (qp.isResponding() || wire.nak != WireQp.NONE);
    }

    /**
     * Gives answers that are owed, as many as may go in one turn; queues the queue pair if there are more.
     *
     * @return bytes moved
     */
    long respond(Qp qp, WireQp wire) {
        PacketWriter writer = ports.writer(qp);
        Responses owed = wire.responses;
        long moved = 0;
        while (owed.isPending() && moved < CHUNK_BYTES && writer.hasRoom(1)) {
            if (owed.isRead(owed.next())) {
                moved += readPackets(qp, wire, CHUNK_BYTES - moved);
            } else {
                atomicAck(qp, wire);
            }
        }
        if (owed.isPending()) {
            arbiter.add(qp.share(), qp.index());
        } else {
            conclude(qp, wire);
        }
        return moved;
    }

    private void conclude(Qp qp, WireQp wire) {
        if (wire.responses.isPending() || !ports.writer(qp).hasRoom(1)) {
            // A lost acknowledgement is asked for again.
            return;
        }
        if (wire.nak != WireQp.NONE) {
            ack(qp, wire.nakPsn, wire.nak, wire.messageNumber);
            wire.nak = WireQp.NONE;
        } else if (wire.ackDue) {
            ack(qp, Psn.plus(qp.rqPsn(), -1), ackWithCredits(qp), wire.messageNumber);
        }
        wire.ackDue = false;
    }

    private void ack(Qp qp, int psn, int syndrome, int messageNumber) {
        int opcode = PacketTable.acknowledge(qp.responderTransport());
        long at = ports.answer(qp, opcode, psn, 0);
        AethLayout.write(
                ports.writer(qp).memory(), at + PacketTable.headerOffset(opcode, Header.AETH), syndrome, messageNumber);
        ports.end(qp, PacketTable.headerBytes(opcode));
    }

    // Receives of a shared queue are not promised to one queue pair.
    private static int ackWithCredits(Qp qp) {
        return qp.receives().shared() == null ? AethSyndrome.ack(qp.receives().posted()) : AethSyndrome.ack();
    }

    private void atomicAck(Qp qp, WireQp wire) {
        Responses owed = wire.responses;
        int opcode = PacketTable.atomicAcknowledge(qp.responderTransport());
        long at = ports.answer(qp, opcode, owed.psn(owed.next()), 0);
        MemorySegment memory = ports.writer(qp).memory();
        AethLayout.write(
                memory, at + PacketTable.headerOffset(opcode, Header.AETH), ackWithCredits(qp), wire.messageNumber);
        AtomicAckEthLayout.write(
                memory, at + PacketTable.headerOffset(opcode, Header.ATOMIC_ACK_ETH), owed.original(owed.next()));
        ports.end(qp, PacketTable.headerBytes(opcode));
        owed.given();
    }

    private long readPackets(Qp qp, WireQp wire, long most) {
        Responses owed = wire.responses;
        int index = owed.next();
        if (!isReachable(qp, owed, index)) {
            wire.nakPsn = Psn.plus(owed.psn(index), owed.doneBytes() / qp.pathMtuBytes());
            wire.nak = AethSyndrome.nak(AethSyndrome.REMOTE_ACCESS_ERROR);
            owed.drop();
            return 0;
        }
        long moved = 0;
        boolean isLast;
        do {
            long left = owed.lengthBytes(index) - owed.doneBytes();
            int bytes = (int) Math.min(left, qp.pathMtuBytes());
            isLast = left == bytes;
            readPacket(qp, wire, bytes, isLast);
            owed.advance(bytes);
            moved += bytes;
        } while (!isLast && moved < most && ports.writer(qp).hasRoom(1));
        if (isLast) {
            owed.given();
        }
        return moved;
    }

    // Again before each chunk, so that nothing leaves after a deregistration.
    private boolean isReachable(Qp qp, Responses owed, int index) {
        read.transport = qp.responderTransport();
        read.opcode = SendWqeLayout.OPCODE_RDMA_READ;
        read.srqn = owed.srqn(index);
        read.remoteAddress = owed.address(index);
        read.rkey = owed.rkey(index);
        read.lengthBytes = owed.lengthBytes(index);
        return responder.admit(qp, read) == Answer.ACK;
    }

    private void readPacket(Qp qp, WireQp wire, int bytes, boolean isLast) {
        Responses owed = wire.responses;
        MemorySegment memory = ports.writer(qp).memory();
        int opcode = PacketTable.readResponse(qp.responderTransport(), RequestHeaders.place(owed.isAtBegin(), isLast));
        int psn = Psn.plus(owed.psn(owed.next()), owed.doneBytes() / qp.pathMtuBytes());
        long at = ports.answer(qp, opcode, psn, RequestHeaders.padBytes(bytes));
        if (PacketTable.has(opcode, Header.AETH)) {
            AethLayout.write(
                    memory, at + PacketTable.headerOffset(opcode, Header.AETH), ackWithCredits(qp), wire.messageNumber);
        }
        int header = PacketTable.headerBytes(opcode);
        packet.setPrivate(memory, at + header, bytes);
        SgList.copy(responder.place(), owed.doneBytes(), packet, 0, bytes);
        contexts.countTraffic(Counter.PORT_XMIT_DATA, bytes);
        ports.end(qp, at, header, bytes);
    }
}
