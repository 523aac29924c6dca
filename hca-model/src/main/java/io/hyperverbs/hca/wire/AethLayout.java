package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.NetworkBytes.INT;
import static io.hyperverbs.hca.wire.NetworkBytes.LOW_24;

import java.lang.foreign.MemorySegment;

/**
 * ACK extended transport header: 4 bytes, big-endian, any alignment (IBA vol. 1, 9.3). Written by
 * the responder, read by the requester.
 *
 * <pre>
 *  byte   +0         +1
 *    0  | syndrome | MSN                     |  AethSyndrome; messages completed, 24 bits
 * </pre>
 */
public final class AethLayout {
    public static final int SIZE_BYTES = 4;

    private AethLayout() {}

    public static void write(MemorySegment packet, long aeth, int syndrome, int msn) {
        packet.set(INT, aeth, syndrome << 24 | (msn & LOW_24));
    }

    public static int syndrome(MemorySegment packet, long aeth) {
        return packet.get(INT, aeth) >>> 24;
    }

    public static int msn(MemorySegment packet, long aeth) {
        return packet.get(INT, aeth) & LOW_24;
    }
}
