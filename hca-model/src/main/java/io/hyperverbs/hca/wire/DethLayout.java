package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.NetworkBytes.INT;
import static io.hyperverbs.hca.wire.NetworkBytes.LOW_24;

import java.lang.foreign.MemorySegment;

/**
 * Datagram extended transport header: 8 bytes, big-endian, any alignment (IBA vol. 1, 9.3).
 * Written by the sender of a datagram, read by the receiver.
 *
 * <pre>
 *  byte   +0         +1                        +4
 *    0  | qkey                               | 0        | source QPN  |  8 bits reserved, 24 bits
 * </pre>
 */
public final class DethLayout {
    public static final int SIZE_BYTES = 8;
    static final long QKEY_OFFSET = 0;
    static final long SOURCE_QPN_OFFSET = 4;

    private DethLayout() {}

    public static void write(MemorySegment packet, long deth, int qkey, int sourceQpn) {
        packet.set(INT, deth + QKEY_OFFSET, qkey);
        packet.set(INT, deth + SOURCE_QPN_OFFSET, sourceQpn & LOW_24);
    }

    public static int qkey(MemorySegment packet, long deth) {
        return packet.get(INT, deth + QKEY_OFFSET);
    }

    public static int sourceQpn(MemorySegment packet, long deth) {
        return packet.get(INT, deth + SOURCE_QPN_OFFSET) & LOW_24;
    }
}
