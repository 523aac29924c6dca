package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Psn;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.rc.Answers;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.Fabric;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.transport.RequestHeaders;
import io.hyperverbs.hca.wire.PacketOpcode.Place;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.SendFlags;
import java.lang.foreign.MemorySegment;

/**
 * The requester's side of reliable connections on a wire: cuts requests into packets of the path MTU, as many as may be
 * under way. Several requests are; what is sent again begins at the oldest packet that is not acknowledged, and comes
 * from the copy that was judged. Local keys are checked before each step. Engine thread only.
 */
final class RcWire implements Fabric {
    /** Bytes of one request between two looks at anything else. */
    private static final long CHUNK_BYTES = 64 * 1024;

    /** One packet in so many asks for an acknowledgement, besides the last of each request. */
    private static final int ACK_INTERVAL = 16;

    private final Ports ports;
    private final WireQps wires;
    private final WireTimers timers;
    private final Answers answers;
    private final RequestCheck check;
    private final Message message = new Message();
    private final DataPackets packets;
    private final CompletionError error = new CompletionError();

    RcWire(Ports ports, WireQps wires, WireTimers timers, ContextMemory contexts, Answers answers, RequestCheck check) {
        this.ports = ports;
        this.wires = wires;
        this.timers = timers;
        this.answers = answers;
        this.check = check;
        this.packets = new DataPackets(ports, contexts);
    }

    @Override
    public long carry(Qp qp, long nowNanos) {
        SendQueue sends = qp.sends();
        WireQp wire = wires.of(qp);
        message.describe(qp);
        boolean reads = message.isRead() || message.isAtomic();
        if (!reads && !check.local(qp, 0, packets.source(), error)) {
            localError(qp);
            return 0;
        }
        if (!mayGo(qp, wire, reads)) {
            sends.hold(SendQueue.Wait.WINDOW);
            return 0;
        }
        if (timers.holdsBack(qp, wire, nowNanos)) {
            return 0;
        }
        if (!ports.writer(qp).hasRoom(1)) {
            // The network takes no more at the moment; the queue pair stays in line.
            return 0;
        }
        wire.assign(qp, sends.next(), message.packets);
        long before = ports.writer(qp).writtenBytes();
        long moved = reads ? request(qp, wire) : data(qp, wire);
        wire.rate.sent(moved, nowNanos);
        wire.pace.sent(ports.writer(qp).writtenBytes() - before, nowNanos);
        timers.sent(qp, wire, nowNanos);
        return moved;
    }

    // What is wrong with a request is said when those before it have their answer.
    private void localError(Qp qp) {
        if (qp.sends().isOldest()) {
            answers.localError(qp, error);
        } else {
            qp.sends().hold(SendQueue.Wait.WINDOW);
        }
    }

    private boolean mayGo(Qp qp, WireQp wire, boolean reads) {
        SendQueue sends = qp.sends();
        boolean hasWindow = wire.inFlight() < ports.writer(qp).mostInFlight();
        if (sends.isOldest()) {
            return hasWindow;
        }
        boolean isNew = !wire.isAssigned(sends.next());
        if (isNew
                && (!wire.hasPsns(message.packets)
                        || (sends.hasFlag(SendFlags.FENCE) && wire.readsOutstanding() > 0)
                        || (message.takesReceive() && !wire.mayTakeReceive()))) {
            return false;
        }
        return reads ? wire.readsOutstanding() < qp.maxReadAtomic() : hasWindow;
    }

    /** A read or an atomic: one packet, and as many PSNs as its answer has packets. */
    private long request(Qp qp, WireQp wire) {
        SendQueue sends = qp.sends();
        PacketWriter writer = ports.writer(qp);
        MemorySegment memory = writer.memory();
        long done = sends.doneBytes();
        int skipped = (int) (done / qp.pathMtuBytes());
        int psn = Psn.plus(wire.firstPsn(sends.next()), skipped);
        int opcode = PacketTable.request(message.transport, message.opcode, Place.ONLY);
        long at = ports.begin(qp, message, opcode, psn, true, 0);
        if (message.isRead()) {
            RequestHeaders.writeReth(memory, at, message, opcode, done);
        } else {
            RequestHeaders.writeAtomicEth(memory, at, message, opcode);
        }
        ports.end(qp, PacketTable.headerBytes(opcode));
        countAgain(qp, wire, psn);
        wire.sentRead(psn, wire.packets(sends.next()) - skipped);
        sends.carried();
        return 0;
    }

    /** Packets of a send or write, as many as may go. */
    private long data(Qp qp, WireQp wire) {
        SendQueue sends = qp.sends();
        PacketWriter writer = ports.writer(qp);
        long most = wire.pace.burst(CHUNK_BYTES);
        int mostInFlight = writer.mostInFlight();
        long moved = 0;
        do {
            long done = sends.doneBytes();
            int psn = Psn.plus(wire.firstPsn(sends.next()), done / qp.pathMtuBytes());
            boolean isLast = message.lengthBytes - done <= qp.pathMtuBytes();
            boolean asksForAck = isLast || psn % ACK_INTERVAL == 0 || wire.inFlight() == mostInFlight - 1;
            moved += packets.write(qp, message, psn, done, asksForAck);
            countAgain(qp, wire, psn);
            wire.sent(psn);
            if (isLast) {
                sends.carried();
                return moved;
            }
            sends.advance(qp.pathMtuBytes());
        } while (moved < most && wire.inFlight() < mostInFlight && writer.hasRoom(1));
        return moved;
    }

    /** A packet is sent, for the first time or not. */
    private static void countAgain(Qp qp, WireQp wire, int psn) {
        if (wire.isUnacked(psn)) {
            qp.context().count(Counter.RETRANSMITTED_PACKETS);
        }
    }
}
