package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.qp.Psn;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Fabric;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * The requester's side of unreliable connections on a wire: cuts requests into packets; a request ends when
 * its last packet has left. Engine thread only.
 */
final class UcWire implements Fabric {
    private static final long CHUNK_BYTES = 64 * 1024;

    private final Ports ports;
    private final WireQps wires;
    private final WireTimers timers;
    private final RequestCheck check;
    private final Completer completer;
    private final DataPackets packets;
    private final Message message = new Message();
    private final CompletionError error = new CompletionError();

    UcWire(
            Ports ports,
            WireQps wires,
            WireTimers timers,
            ContextMemory contexts,
            RequestCheck check,
            Completer completer) {
        this.ports = ports;
        this.wires = wires;
        this.timers = timers;
        this.check = check;
        this.completer = completer;
        this.packets = new DataPackets(ports, contexts);
    }

    @Override
    public long carry(Qp qp, long nowNanos) {
        message.describe(qp);
        if (!check.local(qp, 0, packets.source(), error)) {
            RequestCheck.nameRevoked(qp, error);
            completer.sendFailed(qp, VerbsStatus.LOC_PROT_ERR, error);
            return 0;
        }
        WireQp wire = wires.of(qp);
        if (timers.holdsBack(qp, wire, nowNanos)) {
            return 0;
        }
        long before = ports.writer(qp).writtenBytes();
        long moved = send(qp, wire.pace.burst(CHUNK_BYTES));
        wire.rate.sent(moved, nowNanos);
        wire.pace.sent(ports.writer(qp).writtenBytes() - before, nowNanos);
        return moved;
    }

    private long send(Qp qp, long most) {
        SendQueue sends = qp.sends();
        long moved = 0;
        while (moved < most && ports.writer(qp).hasRoom(1)) {
            long done = sends.doneBytes();
            int bytes = packets.write(qp, message, Psn.plus(qp.sqPsn(), done / qp.pathMtuBytes()), done, false);
            moved += bytes;
            if (done + bytes == message.lengthBytes) {
                qp.advanceSqPsn(message.packets);
                completer.sendDone(qp);
                return moved;
            }
            sends.advance(bytes);
        }
        return moved;
    }
}
