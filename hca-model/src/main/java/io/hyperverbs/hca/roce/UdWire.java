package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.RequestHeaders;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.ud.RemoteDatagrams;
import io.hyperverbs.hca.ud.UdResponder;
import io.hyperverbs.hca.wire.DethLayout;
import io.hyperverbs.hca.wire.ImmDtLayout;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Place;
import io.hyperverbs.hca.wire.PacketTable;
import java.lang.foreign.MemorySegment;

/** Datagrams on a wire: one packet each, both ways. Engine thread only. */
final class UdWire implements RemoteDatagrams {
    private static final int DSCP_BITS = 0xfc;

    private final Ports ports;
    private final WireAddresses addresses;
    private final UdResponder responder;
    private final Message datagram = new Message();
    private final SgList packet;

    UdWire(Ports ports, WireAddresses addresses, UdResponder responder, ContextMemory contexts) {
        this.ports = ports;
        this.addresses = addresses;
        this.responder = responder;
        this.packet = new SgList(contexts.memory());
    }

    @Override
    public boolean send(Qp qp, Message sent, int address, int trafficClass, SgList payload) {
        PacketWriter writer = ports.writer(qp);
        if (!writer.hasRoom(1)) {
            return false;
        }
        MemorySegment memory = writer.memory();
        int opcode = PacketTable.request(Qp.UD, sent.opcode, Place.ONLY);
        int bytes = (int) sent.lengthBytes;
        int pad = RequestHeaders.padBytes(bytes);
        long at = writer.begin();
        RequestHeaders.write(memory, at, sent, opcode, sent.psn, false, pad);
        RequestHeaders.writeDeth(memory, at, sent, opcode);
        int header = PacketTable.headerBytes(opcode);
        packet.setPrivate(memory, at + header, bytes);
        SgList.copy(payload, 0, packet, 0, bytes);
        Ports.pad(memory, at + header + bytes, pad);
        if (qp.route().isPortUp()) {
            writer.end(header + bytes + pad, address, (trafficClass & DSCP_BITS) | Ports.ECN_CAPABLE);
        }
        return true;
    }

    /** A datagram came for a queue pair; false if it was dropped. */
    boolean arrived(Qp qp, int port, Arrival arrival) {
        MemorySegment memory = arrival.memory();
        long at = arrival.offset();
        int opcode = arrival.opcode;
        datagram.transport = Qp.UD;
        datagram.destinationPort = port;
        datagram.pkey = arrival.pkey();
        datagram.psn = arrival.psn();
        datagram.solicited = arrival.isSolicited();
        datagram.opcode = MessageReader.workOpcode(opcode);
        datagram.lengthBytes = arrival.payloadBytes();
        datagram.sourceLid = addresses.lidOf(arrival.sourceAddress);
        datagram.serviceLevel = 0;
        datagram.qkey = DethLayout.qkey(memory, at + PacketTable.headerOffset(opcode, Header.DETH));
        datagram.sourceQpn = DethLayout.sourceQpn(memory, at + PacketTable.headerOffset(opcode, Header.DETH));
        datagram.immediate = datagram.opcode == SendWqeLayout.OPCODE_SEND_WITH_IMM
                ? ImmDtLayout.immediate(memory, at + PacketTable.headerOffset(opcode, Header.IMM_DT))
                : 0;
        packet.setPrivate(memory, arrival.payload(), datagram.lengthBytes);
        return responder.deliver(
                qp, datagram, arrival.trafficClass, arrival.sourceAddress, arrival.destinationAddress, packet);
    }
}
