package io.hyperverbs.hca;

import io.hyperverbs.hca.wire.AethLayout;
import io.hyperverbs.hca.wire.AtomicEthLayout;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.DethLayout;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.hca.wire.RethLayout;
import io.hyperverbs.hca.wire.XrcEthLayout;
import io.hyperverbs.verbs.Pkey;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** A packet without its ICRC, BTH to padding, as whoever forges it wants it. */
final class ForgedPacket {
    /** What a payload is full of. */
    static final byte FILL = (byte) 0xee;

    private final int opcode;
    private final int qpn;
    private final int psn;
    private byte[] bytes;
    private MemorySegment memory;

    /** All headers of the opcode, zero but for the BTH, and a payload that is padded to whole words. */
    ForgedPacket(int opcode, int qpn, int psn, int payloadBytes) {
        this.opcode = opcode;
        this.qpn = qpn;
        this.psn = psn;
        int header = PacketTable.headerBytes(opcode);
        bytes = new byte[header + ((payloadBytes + 3) & ~3)];
        memory = MemorySegment.ofArray(bytes);
        Arrays.fill(bytes, header, bytes.length, FILL);
        bth(0, -payloadBytes & 3, Pkey.DEFAULT);
    }

    ForgedPacket(PacketOpcode row, int qpn, int psn, int payloadBytes) {
        this(row.code(), qpn, psn, payloadBytes);
    }

    ForgedPacket bth(int flags, int padCount, int pkey) {
        BthLayout.write(memory, 0, opcode, flags, padCount, pkey, qpn, psn);
        return this;
    }

    ForgedPacket pkey(int pkey) {
        return bth(0, BthLayout.padCount(memory, 0), pkey);
    }

    ForgedPacket pad(int padCount) {
        return bth(0, padCount, Pkey.DEFAULT);
    }

    ForgedPacket version(int version) {
        return put(1, bytes[1] & 0xf0 | version);
    }

    ForgedPacket reth(long address, int rkey, long lengthBytes) {
        RethLayout.write(memory, at(Header.RETH), address, rkey, lengthBytes);
        return this;
    }

    ForgedPacket atomic(long address, int rkey) {
        AtomicEthLayout.write(memory, at(Header.ATOMIC_ETH), address, rkey, -1, 0);
        return this;
    }

    ForgedPacket aeth(int syndrome, int msn) {
        AethLayout.write(memory, at(Header.AETH), syndrome, msn);
        return this;
    }

    ForgedPacket deth(int qkey, int sourceQpn) {
        DethLayout.write(memory, at(Header.DETH), qkey, sourceQpn);
        return this;
    }

    ForgedPacket srqn(int srqn) {
        XrcEthLayout.write(memory, at(Header.XRC_ETH), srqn);
        return this;
    }

    /** Whatever the opcode has of these. */
    ForgedPacket naming(long address, int rkey, int lengthBytes) {
        if (PacketTable.has(opcode, Header.RETH)) {
            return reth(address, rkey, lengthBytes);
        }
        return PacketTable.has(opcode, Header.ATOMIC_ETH) ? atomic(address, rkey) : this;
    }

    ForgedPacket put(int offset, int value) {
        memory.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
        return this;
    }

    /** The same with so many bytes, cut or made longer. */
    ForgedPacket length(int lengthBytes) {
        bytes = Arrays.copyOf(bytes, lengthBytes);
        memory = MemorySegment.ofArray(bytes);
        return this;
    }

    private long at(Header header) {
        return PacketTable.headerOffset(opcode, header);
    }

    byte[] bytes() {
        return bytes;
    }
}
