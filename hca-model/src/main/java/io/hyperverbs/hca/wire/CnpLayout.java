package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.NetworkBytes.LONG;

import java.lang.foreign.MemorySegment;

/**
 * Congestion notification packet of RoCEv2: 28 bytes before the ICRC, big-endian, any alignment
 * (IBA annex A17). The receiver of a packet that IP has marked with congestion sends it to the
 * queue pair that the packet came from; it has no PSN and is not acknowledged.
 *
 * <pre>
 *  byte   +0
 *    0  | BTH: opcode CNP, BECN, PSN 0          |
 *   12  | 0                                     |  16 bytes reserved
 * </pre>
 */
public final class CnpLayout {
    public static final int SIZE_BYTES = 28;
    static final long RESERVED_OFFSET = BthLayout.SIZE_BYTES;

    private CnpLayout() {}

    public static void write(MemorySegment packet, long cnp, int pkey, int destinationQpn) {
        int opcode = PacketOpcode.CNP.code();
        BthLayout.write(packet, cnp, opcode, BthLayout.BACKWARD_CONGESTION, 0, pkey, destinationQpn, 0);
        packet.set(LONG, cnp + RESERVED_OFFSET, 0L);
        packet.set(LONG, cnp + RESERVED_OFFSET + Long.BYTES, 0L);
    }
}
