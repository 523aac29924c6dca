package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.RequestHeaders;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketTable;
import java.lang.foreign.MemorySegment;

/** Packets of sends and writes: headers, then payload straight from the memory of the request. Engine thread only. */
final class DataPackets {
    private final Ports ports;
    private final ContextMemory contexts;
    private final SgList source;
    private final SgList packet;

    DataPackets(Ports ports, ContextMemory contexts) {
        this.ports = ports;
        this.contexts = contexts;
        this.source = new SgList(contexts.memory());
        this.packet = new SgList(contexts.memory());
    }

    /** Where the payload of the request comes from; filled before {@link #write}. */
    SgList source() {
        return source;
    }

    /**
     * Writes the packet that begins {@code done} bytes into the message.
     *
     * @return bytes of payload
     */
    int write(Qp qp, Message message, int psn, long done, boolean asksForAck) {
        long left = message.lengthBytes - done;
        int bytes = (int) Math.min(left, qp.pathMtuBytes());
        MemorySegment memory = ports.writer(qp).memory();
        int opcode =
                PacketTable.request(message.transport, message.opcode, RequestHeaders.place(done == 0, left == bytes));
        long at = ports.begin(qp, message, opcode, psn, asksForAck, RequestHeaders.padBytes(bytes));
        if (PacketTable.has(opcode, Header.RETH)) {
            RequestHeaders.writeReth(memory, at, message, opcode, 0);
        }
        int header = PacketTable.headerBytes(opcode);
        packet.setPrivate(memory, at + header, bytes);
        SgList.copy(source, done, packet, 0, bytes);
        contexts.countTraffic(Counter.PORT_XMIT_DATA, bytes);
        ports.end(qp, at, header, bytes);
        return bytes;
    }
}
