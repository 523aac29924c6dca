package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.NetworkBytes.INT;

import java.lang.foreign.MemorySegment;

/**
 * Invalidate extended transport header: 4 bytes, big-endian, any alignment (IBA vol. 1, 9.3). The
 * last packet of a send with invalidate has it. Written by the requester, read by the responder.
 *
 * <pre>
 *  byte   +0
 *    0  | rkey                  |  the responder's key to invalidate
 * </pre>
 */
public final class IethLayout {
    public static final int SIZE_BYTES = 4;

    private IethLayout() {}

    public static void write(MemorySegment packet, long ieth, int rkey) {
        packet.set(INT, ieth, rkey);
    }

    public static int rkey(MemorySegment packet, long ieth) {
        return packet.get(INT, ieth);
    }
}
