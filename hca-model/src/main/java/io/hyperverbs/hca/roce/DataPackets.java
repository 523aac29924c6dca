package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Place;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.hca.wire.RethLayout;
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
        int opcode = PacketTable.request(message.transport, message.opcode, place(done == 0, left == bytes));
        long at = ports.begin(qp, message, opcode, psn, asksForAck, Ports.padBytes(bytes));
        if (PacketTable.has(opcode, Header.RETH)) {
            long reth = at + PacketTable.headerOffset(opcode, Header.RETH);
            RethLayout.write(memory, reth, message.remoteAddress, message.rkey, message.lengthBytes);
        }
        int header = PacketTable.headerBytes(opcode);
        packet.setPrivate(memory, at + header, bytes);
        SgList.copy(source, done, packet, 0, bytes);
        contexts.add(Counter.PORT_XMIT_DATA, bytes);
        ports.end(qp, at, header, bytes);
        return bytes;
    }

    /** The place of a packet in its message. */
    static Place place(boolean isFirst, boolean isLast) {
        if (isLast) {
            return isFirst ? Place.ONLY : Place.LAST;
        }
        return isFirst ? Place.FIRST : Place.MIDDLE;
    }
}
