package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.PacketTable;
import java.lang.foreign.MemorySegment;

/**
 * A packet that has arrived, in private memory, with a valid ICRC: whole headers of a known opcode, and a
 * payload that the opcode may have. What they say is the sender's, whoever that is. Reused. Engine thread only.
 */
final class Arrival {
    private final MemorySegment memory;
    private long offset;
    private int headerBytes;
    private int payloadBytes;
    private int destinationQpn;
    private int psn;
    int opcode;
    int sourceAddress;
    int destinationAddress;
    int trafficClass;

    Arrival(MemorySegment memory) {
        this.memory = memory;
    }

    /**
     * Looks at a packet.
     *
     * @param bytes of it, its ICRC not among them
     * @return false if it is none that this HCA knows
     */
    boolean parse(long packet, int bytes) {
        if (bytes < BthLayout.SIZE_BYTES) {
            return false;
        }
        offset = packet;
        opcode = BthLayout.opcode(memory, packet);
        destinationQpn = BthLayout.destinationQpn(memory, packet);
        psn = BthLayout.psn(memory, packet);
        headerBytes = PacketTable.headerBytes(opcode);
        payloadBytes = bytes - headerBytes - BthLayout.padCount(memory, packet);
        return PacketTable.isKnown(opcode)
                && BthLayout.version(memory, packet) == 0
                && payloadBytes >= 0
                && (bytes & 3) == 0;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Offset of the BTH. */
    long offset() {
        return offset;
    }

    int psn() {
        return psn;
    }

    int destinationQpn() {
        return destinationQpn;
    }

    int pkey() {
        return BthLayout.pkey(memory, offset);
    }

    boolean isSolicited() {
        return BthLayout.isSolicited(memory, offset);
    }

    boolean asksForAck() {
        return BthLayout.isAckRequest(memory, offset);
    }

    /** Offset of the payload. */
    long payload() {
        return offset + headerBytes;
    }

    /** Bytes of payload, without padding. */
    int payloadBytes() {
        return payloadBytes;
    }
}
