package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.uc.UcResponder;
import io.hyperverbs.hca.wire.PacketTable;

/**
 * The responder's side of unreliable connections on a wire: a packet that is missing costs its message, the
 * next message begins anew (IBA 9.8.2). Engine thread only.
 */
final class UcRequests {
    private final UcResponder responder;
    private final ContextMemory contexts;
    private final MessageReader reader = new MessageReader();
    private final SgList payload;

    UcRequests(UcResponder responder, ContextMemory contexts) {
        this.responder = responder;
        this.contexts = contexts;
        this.payload = new SgList(contexts.memory());
    }

    /** A request packet of the peer came, to a queue pair that responds. */
    void arrived(Qp qp, WireQp wire, Arrival arrival) {
        if (arrival.psn() != qp.rqPsn()) {
            qp.context().count(Counter.OUT_OF_SEQUENCE);
            qp.resynchronize(arrival.psn());
            wire.arriving = WireQp.NONE;
        }
        qp.advanceRqPsn(1);
        if (!reader.read(qp, wire, arrival)) {
            contexts.count(Counter.RX_DROPPED_MESSAGES);
            wire.arriving = WireQp.NONE;
            return;
        }
        if (!responder.admit(qp, reader.message())) {
            wire.arriving = WireQp.NONE;
            return;
        }
        int bytes = arrival.payloadBytes();
        payload.setPrivate(arrival.memory(), arrival.payload(), bytes);
        SgList.copy(payload, 0, responder.place(), reader.arrivedBefore(), bytes);
        reader.taken(wire, arrival);
        if (PacketTable.place(arrival.opcode).endsMessage()) {
            responder.finish(qp, reader.message());
        }
    }
}
