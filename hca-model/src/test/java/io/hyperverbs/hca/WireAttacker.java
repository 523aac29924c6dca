package io.hyperverbs.hca;

import io.hyperverbs.hca.roce.MemoryNetwork;
import io.hyperverbs.hca.roce.PacketPort;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.Icrc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Whoever can send datagrams to port 4791 of HCAs, from whatever address, with the ICRC that goes with them. */
final class WireAttacker {
    /** An address that is no HCA's. */
    static final int STRANGER = 0x0a0000c8;

    private static final int MOST_BYTES = 1 << 16;

    private final MemoryNetwork network;
    private final MemorySegment memory = Arena.ofAuto().allocate(MOST_BYTES, 64);
    private final Icrc icrc = new Icrc(memory);
    private int source = STRANGER;
    private int destination = WireFixture.B;
    private int trafficClass;
    private long sentBytes;

    WireAttacker(MemoryNetwork network) {
        this.network = network;
    }

    /** Sends from that address from now on. */
    WireAttacker from(int address) {
        source = address;
        return this;
    }

    WireAttacker to(int address) {
        destination = address;
        return this;
    }

    WireAttacker marked(int tos) {
        trafficClass = tos;
        return this;
    }

    /** UDP payload sent, in bytes. */
    long sentBytes() {
        return sentBytes;
    }

    void send(ForgedPacket packet) {
        send(packet.bytes(), 0);
    }

    /**
     * Sends a packet and the ICRC.
     *
     * @param icrcError what is wrong with the ICRC
     */
    void send(byte[] packet, int icrcError) {
        int bytes = packet.length;
        MemorySegment.copy(packet, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes);
        int sum = icrc.compute(
                0,
                Math.max(bytes, BthLayout.SIZE_BYTES),
                source,
                destination,
                0,
                PacketPort.UDP_PORT,
                PacketPort.UDP_PORT);
        byte[] datagram = java.util.Arrays.copyOf(packet, bytes + Icrc.SIZE_BYTES);
        MemorySegment.ofArray(datagram)
                .set(
                        ValueLayout.JAVA_INT_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN),
                        bytes,
                        sum ^ icrcError);
        sendRaw(datagram);
    }

    /** Sends just that. */
    void sendRaw(byte[] datagram) {
        sentBytes += datagram.length;
        network.inject(source, destination, trafficClass, datagram);
    }
}
