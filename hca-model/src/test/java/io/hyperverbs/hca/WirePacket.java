package io.hyperverbs.hca;

import io.hyperverbs.hca.wire.AethLayout;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketTable;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A packet as it was sent, without its ICRC.
 *
 * @param source IPv4 address of the port that sent it
 */
record WirePacket(int source, int destination, MemorySegment bytes) {
    int opcode() {
        return BthLayout.opcode(bytes, 0);
    }

    /** Its row in the table of opcodes. */
    PacketOpcode row() {
        return Objects.requireNonNull(PacketTable.row(opcode()));
    }

    Kind kind() {
        return PacketTable.kind(opcode());
    }

    int psn() {
        return BthLayout.psn(bytes, 0);
    }

    int destinationQpn() {
        return BthLayout.destinationQpn(bytes, 0);
    }

    boolean asksForAck() {
        return BthLayout.isAckRequest(bytes, 0);
    }

    boolean isRequest() {
        return kind().isRequest();
    }

    int payloadBytes() {
        return (int) bytes.byteSize() - PacketTable.headerBytes(opcode()) - BthLayout.padCount(bytes, 0);
    }

    int syndrome() {
        return AethLayout.syndrome(bytes, PacketTable.headerOffset(opcode(), Header.AETH));
    }

    int msn() {
        return AethLayout.msn(bytes, PacketTable.headerOffset(opcode(), Header.AETH));
    }

    @Override
    public String toString() {
        String answer = PacketTable.has(opcode(), Header.AETH) ? " syndrome " + syndrome() + " msn " + msn() : "";
        return row() + " psn " + psn() + " bytes " + payloadBytes() + answer;
    }
}
