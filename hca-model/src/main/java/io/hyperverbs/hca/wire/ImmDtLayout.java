package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.NetworkBytes.INT;

import java.lang.foreign.MemorySegment;

/**
 * Immediate data: 4 bytes, big-endian, any alignment (IBA vol. 1, 9.3). The last packet of a send
 * or write with immediate has it. Written by the requester, read by the responder.
 *
 * <pre>
 *  byte   +0
 *    0  | immediate             |
 * </pre>
 */
public final class ImmDtLayout {
    public static final int SIZE_BYTES = 4;

    private ImmDtLayout() {}

    public static void write(MemorySegment packet, long immDt, int immediate) {
        packet.set(INT, immDt, immediate);
    }

    public static int immediate(MemorySegment packet, long immDt) {
        return packet.get(INT, immDt);
    }
}
