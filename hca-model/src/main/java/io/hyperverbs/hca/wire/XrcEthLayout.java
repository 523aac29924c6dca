package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.NetworkBytes.INT;
import static io.hyperverbs.hca.wire.NetworkBytes.LOW_24;

import java.lang.foreign.MemorySegment;

/**
 * XRC extended transport header: 4 bytes, big-endian, any alignment (IBA annex A14). Every request
 * of XRC has it, right after the BTH. Written by the requester, read by the responder.
 *
 * <pre>
 *  byte   +0         +1
 *    0  | 0        | SRQ number              |  8 bits reserved, 24 bits
 * </pre>
 */
public final class XrcEthLayout {
    public static final int SIZE_BYTES = 4;

    private XrcEthLayout() {}

    public static void write(MemorySegment packet, long xrcEth, int srqn) {
        packet.set(INT, xrcEth, srqn & LOW_24);
    }

    public static int srqn(MemorySegment packet, long xrcEth) {
        return packet.get(INT, xrcEth) & LOW_24;
    }
}
