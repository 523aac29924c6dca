package io.hyperverbs.tests.fuzz;

import io.hyperverbs.hca.wire.AethLayout;
import io.hyperverbs.hca.wire.AtomicAckEthLayout;
import io.hyperverbs.hca.wire.AtomicEthLayout;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.DethLayout;
import io.hyperverbs.hca.wire.IethLayout;
import io.hyperverbs.hca.wire.ImmDtLayout;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Payload;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.hca.wire.RethLayout;
import io.hyperverbs.hca.wire.XrcEthLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A packet without its ICRC, from bytes of the input. A byte of bits says what of it is as it should be; so that short
 * inputs reach what is behind the checks, 0 is a packet that a peer would send.
 */
final class FuzzPacket {
    static final int ODD_OPCODE = 0x01;
    static final int ODD_QPN = 0x02;
    static final int ODD_PSN = 0x04;
    static final int ODD_FLAGS = 0x08;
    static final int ODD_PKEY = 0x10;
    static final int ODD_LENGTH = 0x20;
    static final int PATCHED = 0x40;
    static final int CUT = 0x80;

    private static final byte FILL = (byte) 0xee;
    private static final int MOST_PAYLOAD = 4200;
    private static final PacketOpcode[] ROWS = PacketOpcode.values();

    private final PacketScene scene;
    private final Input input;
    private final int odd;

    private FuzzPacket(PacketScene scene, Input input) {
        this.scene = scene;
        this.input = input;
        this.odd = input.nextByte();
    }

    static byte[] next(PacketScene scene, Input input) {
        return new FuzzPacket(scene, input).bytes();
    }

    private boolean is(int oddity) {
        return (odd & oddity) != 0;
    }

    private byte[] bytes() {
        int pick = input.nextByte();
        int opcode = is(ODD_OPCODE) ? pick : ROWS[pick % ROWS.length].code();
        int payload = is(ODD_LENGTH) ? input.nextInt() % MOST_PAYLOAD & 0x1fff : usual(opcode);
        payload = Math.min(payload, MOST_PAYLOAD);
        int header = PacketTable.headerBytes(opcode);
        byte[] bytes = new byte[header + (payload + 3 & -4)];
        Arrays.fill(bytes, header, bytes.length, FILL);
        MemorySegment packet = MemorySegment.ofArray(bytes);
        int transport = PacketTable.transport(opcode);
        int qpn = is(ODD_QPN) ? scene.number(input) : scene.target(transport, input);
        int psn = scene.psn(qpn, opcode) + (is(ODD_PSN) ? (byte) input.nextByte() : 0);
        int flags = is(ODD_FLAGS) ? input.nextInt() & BthLayout.KNOWN_FLAGS : BthLayout.ACK_REQUEST;
        int pkey = is(ODD_PKEY) ? input.nextInt() : BthLayout.DEFAULT_PKEY;
        BthLayout.write(packet, 0, opcode, flags, -payload & 3, pkey, qpn, psn);
        headers(packet, opcode, payload);
        return changed(bytes);
    }

    private int usual(int opcode) {
        return switch (rule(opcode)) {
            case NONE -> 0;
            case FULL_MTU -> PacketScene.MTU;
            case ONE_TO_MTU -> 1 + input.nextByte();
            case ZERO_TO_MTU -> input.nextByte();
        };
    }

    private static Payload rule(int opcode) {
        PacketOpcode row = PacketTable.row(opcode);
        return row == null ? Payload.NONE : row.payload();
    }

    private void headers(MemorySegment packet, int opcode, int payload) {
        if (PacketTable.has(opcode, Header.XRC_ETH)) {
            XrcEthLayout.write(packet, at(opcode, Header.XRC_ETH), scene.srqn(input));
        }
        if (PacketTable.has(opcode, Header.DETH)) {
            DethLayout.write(packet, at(opcode, Header.DETH), scene.qkey(input), input.nextByte());
        }
        if (PacketTable.has(opcode, Header.RETH)) {
            long length = rule(opcode) == Payload.NONE || is(ODD_LENGTH) ? scene.length(input) : payload;
            RethLayout.write(packet, at(opcode, Header.RETH), scene.address(input), scene.key(input), length);
        }
        if (PacketTable.has(opcode, Header.ATOMIC_ETH)) {
            AtomicEthLayout.write(
                    packet, at(opcode, Header.ATOMIC_ETH), scene.address(input), scene.key(input), input.nextByte(), 0);
        }
        if (PacketTable.has(opcode, Header.AETH)) {
            AethLayout.write(packet, at(opcode, Header.AETH), input.nextByte(), input.nextByte());
        }
        if (PacketTable.has(opcode, Header.ATOMIC_ACK_ETH)) {
            AtomicAckEthLayout.write(packet, at(opcode, Header.ATOMIC_ACK_ETH), input.nextLong());
        }
        if (PacketTable.has(opcode, Header.IMM_DT)) {
            ImmDtLayout.write(packet, at(opcode, Header.IMM_DT), input.nextInt());
        }
        if (PacketTable.has(opcode, Header.IETH)) {
            IethLayout.write(packet, at(opcode, Header.IETH), scene.key(input));
        }
    }

    private static long at(int opcode, Header header) {
        return PacketTable.headerOffset(opcode, header);
    }

    private byte[] changed(byte[] bytes) {
        if (is(PATCHED)) {
            int at = input.below(64);
            byte[] patch = input.next(1 + input.below(16));
            System.arraycopy(
                    patch,
                    0,
                    bytes,
                    Math.min(at, bytes.length),
                    Math.max(0, Math.min(patch.length, bytes.length - at)));
        }
        return is(CUT) ? Arrays.copyOf(bytes, input.nextInt() & 0xff) : bytes;
    }
}
