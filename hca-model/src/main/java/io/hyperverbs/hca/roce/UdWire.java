package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.RequestHeaders;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.ud.AddressVector;
import io.hyperverbs.hca.ud.RemoteDatagrams;
import io.hyperverbs.hca.ud.UdResponder;
import io.hyperverbs.hca.wire.DethLayout;
import io.hyperverbs.hca.wire.ImmDtLayout;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Place;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.GlobalRoute;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Datagrams on a wire: one packet each, both ways. Engine thread only. */
final class UdWire implements RemoteDatagrams {
    private static final int DSCP_BITS = 0xfc;

    private final Ports ports;
    private final WireAddresses addresses;
    private final UdResponder responder;
    private final WireTimers timers;
    /** Of queue pairs of UD, by their index. */
    private final @Nullable StaticPace[] paces;

    private final Message datagram = new Message();
    private final SgList packet;

    UdWire(
            Ports ports,
            WireTimers timers,
            WireAddresses addresses,
            UdResponder responder,
            ContextMemory contexts,
            int maxQp) {
        this.ports = ports;
        this.timers = timers;
        this.paces = new StaticPace[maxQp];
        this.addresses = addresses;
        this.responder = responder;
        this.packet = new SgList(contexts.memory());
    }

    @Override
    public boolean send(Qp qp, Message sent, AddressVector to, int address, SgList payload, long nowNanos) {
        PacketWriter writer = ports.writer(qp);
        StaticPace pace = pace(qp);
        pace.rate(to.to().staticRate());
        if (timers.holdsBack(qp, pace.waitNanos(nowNanos), nowNanos) || !writer.hasRoom(1)) {
            return false;
        }
        long before = writer.writtenBytes();
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
            GlobalRoute route = to.to().route();
            int trafficClass = route == null ? 0 : route.trafficClass();
            writer.end(header + bytes + pad, address, (trafficClass & DSCP_BITS) | Ports.ECN_CAPABLE);
        }
        pace.sent(writer.writtenBytes() - before, nowNanos);
        return true;
    }

    private StaticPace pace(Qp qp) {
        StaticPace pace = paces[qp.index()];
        if (pace == null) {
            throw new IllegalStateException(qp + " sends datagrams and has no pace");
        }
        return pace;
    }

    /** Follows a change of a queue pair's state. */
    void follow(Qp qp) {
        if (qp.requesterTransport() == Qp.UD && paces[qp.index()] == null) {
            paces[qp.index()] = new StaticPace();
        }
    }

    /** The queue pair is being destroyed. */
    void forget(Qp qp) {
        paces[qp.index()] = null;
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
