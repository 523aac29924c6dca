package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.NetworkBytes.INT;
import static io.hyperverbs.hca.wire.NetworkBytes.LONG;

import java.lang.foreign.MemorySegment;

/**
 * RDMA extended transport header: 16 bytes, big-endian, any alignment (IBA vol. 1, 9.3). The
 * first packet of a write and every read request have it; the length is of the whole message.
 * Written by the requester, read by the responder.
 *
 * <pre>
 *  byte   +0                      +4
 *    0  | remoteAddress                         |
 *    8  | rkey                  | lengthBytes   |
 * </pre>
 */
public final class RethLayout {
    public static final int SIZE_BYTES = 16;
    static final long REMOTE_ADDRESS_OFFSET = 0;
    static final long RKEY_OFFSET = 8;
    static final long LENGTH_OFFSET = 12;

    private RethLayout() {}

    /** The length is written in 32 bits. */
    public static void write(MemorySegment packet, long reth, long remoteAddress, int rkey, long lengthBytes) {
        packet.set(LONG, reth + REMOTE_ADDRESS_OFFSET, remoteAddress);
        packet.set(INT, reth + RKEY_OFFSET, rkey);
        packet.set(INT, reth + LENGTH_OFFSET, (int) lengthBytes);
    }

    public static long remoteAddress(MemorySegment packet, long reth) {
        return packet.get(LONG, reth + REMOTE_ADDRESS_OFFSET);
    }

    public static int rkey(MemorySegment packet, long reth) {
        return packet.get(INT, reth + RKEY_OFFSET);
    }

    /** 0 to 2^32 - 1; more than 2^31 is for the responder to refuse. */
    public static long lengthBytes(MemorySegment packet, long reth) {
        return packet.get(INT, reth + LENGTH_OFFSET) & 0xffff_ffffL;
    }
}
