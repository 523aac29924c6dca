package io.hyperverbs.tests.wire;

import io.hyperverbs.hca.wire.AethLayout;
import io.hyperverbs.hca.wire.AtomicAckEthLayout;
import io.hyperverbs.hca.wire.AtomicEthLayout;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.DethLayout;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.hca.wire.IethLayout;
import io.hyperverbs.hca.wire.ImmDtLayout;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.hca.wire.RethLayout;
import io.hyperverbs.hca.wire.XrcEthLayout;
import io.hyperverbs.launcher.capture.RocePacketRenderer;
import io.hyperverbs.launcher.capture.RocePacketRenderer.Flow;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;

/** A random packet as the codecs write it, and what has been written, by the field's name. */
final class SamplePacket {
    private static final long AT = 2;
    private static final int[] MTUS = {256, 512, 1024, 2048, 4096};
    private static final int LOW_24 = 0xff_ffff;

    private final MemorySegment memory = Arena.ofAuto().allocate(AT + Icrc.MAX_PACKET_BYTES + Icrc.SIZE_BYTES);
    private final SplittableRandom random;
    private final Map<String, Long> written = new HashMap<>();
    private final PacketOpcode opcode;
    private final Flow flow;
    private final int identification;
    private final int typeOfService;
    private final int length;

    /** With any values, and a payload of which every byte has its upper bit set. */
    SamplePacket(SplittableRandom random, PacketOpcode opcode) {
        this.random = random;
        this.opcode = opcode;
        this.flow = new Flow(random.nextInt(), random.nextInt(), 0xc000 | random.nextInt(1 << 14));
        this.identification = random.nextInt(1 << 16);
        this.typeOfService = random.nextInt(1 << 8);
        int payloadBytes = lengthOf(opcode.payload());
        int padCount = -payloadBytes & 3;
        int header = PacketTable.headerBytes(opcode.code());
        this.length = header + payloadBytes + padCount;
        writeBth(padCount);
        for (Header each : opcode.headers()) {
            write(each, AT + PacketTable.headerOffset(opcode.code(), each));
        }
        for (int i = 0; i < payloadBytes; i++) {
            memory.set(ValueLayout.JAVA_BYTE, AT + header + i, (byte) (0x80 | random.nextInt()));
        }
        new Icrc(memory)
                .store(
                        AT,
                        length,
                        flow.sourceIp(),
                        flow.destinationIp(),
                        identification,
                        flow.sourcePort(),
                        BthLayout.UDP_PORT);
    }

    private int lengthOf(PacketOpcode.Payload payload) {
        int mtu = MTUS[random.nextInt(MTUS.length)];
        return switch (payload) {
            case NONE -> 0;
            case FULL_MTU -> mtu;
            case ONE_TO_MTU -> 1 + random.nextInt(mtu);
            case ZERO_TO_MTU -> random.nextInt(mtu + 1);
        };
    }

    private void writeBth(int padCount) {
        int flags = random.nextInt() & BthLayout.KNOWN_FLAGS;
        if (opcode.kind() == Kind.CNP) {
            flags |= BthLayout.BACKWARD_CONGESTION;
        }
        BthLayout.write(
                memory,
                AT,
                opcode.code(),
                flags,
                padCount,
                (int) draw("pkey", 0xffff),
                // 0 and 1 are of management.
                (int) put("destqp", 2 + random.nextInt(LOW_24 - 1)),
                (int) draw("psn", LOW_24));
        put("opcode", opcode.code());
        put("pad", padCount);
        put("version", 0);
        put("se", (flags & BthLayout.SOLICITED) == 0 ? 0 : 1);
        put("migreq", (flags & BthLayout.MIGRATION_REQUEST) == 0 ? 0 : 1);
        put("fecn", (flags & BthLayout.FORWARD_CONGESTION) == 0 ? 0 : 1);
        put("becn", (flags & BthLayout.BACKWARD_CONGESTION) == 0 ? 0 : 1);
        put("ackreq", (flags & BthLayout.ACK_REQUEST) == 0 ? 0 : 1);
    }

    private void write(Header header, long at) {
        switch (header) {
            case XRC_ETH -> XrcEthLayout.write(memory, at, (int) draw("srqn", LOW_24));
            case DETH -> DethLayout.write(memory, at, (int) draw("qkey", 0xffff_ffffL), (int) draw("srcqp", LOW_24));
            case RETH ->
                RethLayout.write(
                        memory, at, draw("va", -1), (int) draw("rkey", 0xffff_ffffL), draw("length", 0xffff_ffffL));
            case ATOMIC_ETH ->
                AtomicEthLayout.write(
                        memory,
                        at,
                        draw("va", -1),
                        (int) draw("rkey", 0xffff_ffffL),
                        draw("swap", -1),
                        draw("cmp", -1));
            case AETH -> AethLayout.write(memory, at, (int) draw("syndrome", 0x7f), (int) draw("msn", LOW_24));
            case ATOMIC_ACK_ETH -> AtomicAckEthLayout.write(memory, at, draw("original", -1));
            case IMM_DT -> ImmDtLayout.write(memory, at, (int) draw("immediate", 0xffff_ffffL));
            case IETH -> IethLayout.write(memory, at, (int) draw("invalidated", 0xffff_ffffL));
            case CNP_RESERVED -> memory.asSlice(at, header.sizeBytes()).fill((byte) 0);
        }
    }

    private long draw(String field, long mask) {
        return put(field, random.nextLong() & mask);
    }

    private long put(String field, long value) {
        written.put(field, value);
        return value;
    }

    PacketOpcode opcode() {
        return opcode;
    }

    Flow flow() {
        return flow;
    }

    int identification() {
        return identification;
    }

    /** What a field has, if this packet has the field. */
    Map<String, Long> written() {
        return written;
    }

    /** BTH to ICRC. */
    byte[] datagram() {
        return memory.asSlice(AT, length + Icrc.SIZE_BYTES).toArray(ValueLayout.JAVA_BYTE);
    }

    /** What comes between BTH and padding, and padding, as hex. */
    String afterBth() {
        return hex(BthLayout.SIZE_BYTES, length);
    }

    /** Payload and padding, as hex. */
    String paddedPayload() {
        return hex(PacketTable.headerBytes(opcode.code()), length);
    }

    /** The four bytes behind the padding. */
    String icrc() {
        return hex(length, length + Icrc.SIZE_BYTES);
    }

    private String hex(int begin, int end) {
        return HexFormat.of().formatHex(Arrays.copyOfRange(datagram(), begin, end));
    }

    /** The datagram behind its IPv4 and UDP headers. */
    byte[] packet() {
        return RocePacketRenderer.render(flow, identification, typeOfService, datagram());
    }

    @Override
    public String toString() {
        return opcode + " " + HexFormat.of().formatHex(packet());
    }
}
