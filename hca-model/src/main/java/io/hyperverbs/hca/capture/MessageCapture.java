package io.hyperverbs.hca.capture;

import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.qp.Psn;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.RequestHeaders;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.hca.wire.AethLayout;
import io.hyperverbs.hca.wire.AethSyndrome;
import io.hyperverbs.hca.wire.AtomicAckEthLayout;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Place;
import io.hyperverbs.hca.wire.PacketTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Shows captures the packets that messages within the HCA would be on a wire, by the codecs of the wire; the message
 * sequence number of AETHs, which nobody counts here, is 0. A port without an IPv4 address is shown at 169.254.0.0 plus
 * its LID. What has no packet, such as a send with invalidate of UC, is not shown. Engine thread only; allocates nothing.
 */
public final class MessageCapture {
    private static final int ROOM_BYTES = 4096 + 128;
    private static final int LINK_LOCAL = 169 << 24 | 254 << 16;
    private static final int ECN_CAPABLE = 2;

    private final CapturePoint point;
    private final PortTable ports;
    private final MemorySegment packet = Arena.ofAuto().allocate(ROOM_BYTES, Long.BYTES);
    private final SgList payload;
    private final Icrc icrc = new Icrc(packet);

    /** {@code machineMemory} is what lists of payload lie in. */
    public MessageCapture(CapturePoint point, PortTable ports, MemorySegment machineMemory) {
        this.point = point;
        this.ports = ports;
        this.payload = new SgList(machineMemory);
    }

    /** Whether anybody captures: else nothing below does anything. */
    public boolean isOn() {
        return point.isAttached();
    }

    /**
     * Packets of a send or write, from the one that begins {@code done} bytes into the message.
     *
     * @param bytes of payload; to the end of the message or of a packet
     */
    public void data(Qp qp, Message message, SgList source, long done, long bytes, PacketFate fate) {
        int mtu = qp.pathMtuBytes();
        long at = done;
        do {
            int length = (int) Math.min(done + bytes - at, mtu - at % mtu);
            boolean isLast = at + length == message.lengthBytes;
            Place place = RequestHeaders.place(at == 0, isLast);
            int opcode = PacketTable.request(message.transport, message.opcode, place);
            if (opcode == PacketTable.NO_OPCODE) {
                return;
            }
            boolean asksForAck = isLast && message.transport != Qp.UC;
            int pad = RequestHeaders.padBytes(length);
            RequestHeaders.write(packet, 0, message, opcode, Psn.plus(message.psn, at / mtu), asksForAck, pad);
            if (PacketTable.has(opcode, Header.RETH)) {
                RequestHeaders.writeReth(packet, 0, message, opcode, 0);
            }
            forth(qp, message, withPayload(opcode, source, at, length), fate);
            at += length;
        } while (at < done + bytes);
    }

    /** A read or an atomic. */
    public void question(Qp qp, Message message, PacketFate fate) {
        int opcode = PacketTable.request(message.transport, message.opcode, Place.ONLY);
        RequestHeaders.write(packet, 0, message, opcode, message.psn, true, 0);
        if (message.isRead()) {
            RequestHeaders.writeReth(packet, 0, message, opcode, 0);
        } else {
            RequestHeaders.writeAtomicEth(packet, 0, message, opcode);
        }
        forth(qp, message, PacketTable.headerBytes(opcode), fate);
    }

    /** Packets of the answer to a read, as {@link #data} has those of a write. */
    public void readData(Qp qp, Message message, SgList source, long done, long bytes) {
        int mtu = qp.pathMtuBytes();
        long at = done;
        do {
            int length = (int) Math.min(done + bytes - at, mtu - at % mtu);
            Place place = RequestHeaders.place(at == 0, at + length == message.lengthBytes);
            int opcode = PacketTable.readResponse(message.transport, place);
            int pad = RequestHeaders.padBytes(length);
            BthLayout.write(packet, 0, opcode, 0, pad, message.pkey, qp.qpn(), Psn.plus(message.psn, at / mtu));
            writeAeth(opcode, AethSyndrome.ack());
            back(qp, message, withPayload(opcode, source, at, length));
            at += length;
        } while (at < done + bytes);
    }

    /** The answer to an atomic. */
    public void atomicAnswer(Qp qp, Message message, long original) {
        int opcode = PacketTable.atomicAcknowledge(message.transport);
        BthLayout.write(packet, 0, opcode, 0, 0, message.pkey, qp.qpn(), message.psn);
        writeAeth(opcode, AethSyndrome.ack());
        AtomicAckEthLayout.write(packet, PacketTable.headerOffset(opcode, Header.ATOMIC_ACK_ETH), original);
        back(qp, message, PacketTable.headerBytes(opcode));
    }

    /** An ACK or NAK of the packet that begins {@code done} bytes into the message. */
    public void answer(Qp qp, Message message, long done, int syndrome) {
        int opcode = PacketTable.acknowledge(message.transport);
        int psn = Psn.plus(message.psn, done / qp.pathMtuBytes());
        BthLayout.write(packet, 0, opcode, 0, 0, message.pkey, qp.qpn(), psn);
        writeAeth(opcode, syndrome);
        back(qp, message, PacketTable.headerBytes(opcode));
    }

    /** A datagram. */
    public void datagram(Qp qp, Message datagram, SgList source, PacketFate fate) {
        int opcode = PacketTable.request(Qp.UD, datagram.opcode, Place.ONLY);
        int length = (int) datagram.lengthBytes;
        RequestHeaders.write(packet, 0, datagram, opcode, datagram.psn, false, RequestHeaders.padBytes(length));
        RequestHeaders.writeDeth(packet, 0, datagram, opcode);
        forth(qp, datagram, withPayload(opcode, source, 0, length), fate);
    }

    private void writeAeth(int opcode, int syndrome) {
        if (PacketTable.has(opcode, Header.AETH)) {
            AethLayout.write(packet, PacketTable.headerOffset(opcode, Header.AETH), syndrome, 0);
        }
    }

    /** @return bytes of the packet, its ICRC not among them */
    private int withPayload(int opcode, SgList source, long from, int length) {
        int header = PacketTable.headerBytes(opcode);
        payload.setPrivate(packet, header, length);
        SgList.copy(source, from, payload, 0, length);
        int pad = RequestHeaders.padBytes(length);
        for (int i = 0; i < pad; i++) {
            packet.set(ValueLayout.JAVA_BYTE, header + length + i, (byte) 0);
        }
        return header + length + pad;
    }

    private void forth(Qp qp, Message message, int bytes, PacketFate fate) {
        show(qp.port(), fate, bytes, address(qp.port()), address(destination(qp, message)));
    }

    private void back(Qp qp, Message message, int bytes) {
        int from = destination(qp, message);
        show(from, PacketFate.INSIDE, bytes, address(from), address(qp.port()));
    }

    /** A port that is down, or none, is shown as the sender's. */
    private static int destination(Qp qp, Message message) {
        return message.destinationPort == 0 ? qp.port() : message.destinationPort;
    }

    private int address(int port) {
        int own = ports.wire().of(port);
        return own != 0 ? own : LINK_LOCAL + ports.settings().firstLid() + port - 1;
    }

    private void show(int port, PacketFate fate, int bytes, int source, int destination) {
        CapturedPacket shown = point.begin(port, fate);
        if (shown != null) {
            icrc.store(0, bytes, source, destination, 0, BthLayout.UDP_PORT, BthLayout.UDP_PORT);
            shown.at(packet, 0, bytes + Icrc.SIZE_BYTES).between(source, BthLayout.UDP_PORT, destination);
            shown.identification = 0;
            shown.trafficClass = ECN_CAPABLE;
            point.take(shown);
        }
    }
}
