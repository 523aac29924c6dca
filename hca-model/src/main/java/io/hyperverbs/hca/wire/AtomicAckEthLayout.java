package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.NetworkBytes.LONG;

import java.lang.foreign.MemorySegment;

/**
 * Atomic ACK extended transport header: 8 bytes, big-endian, any alignment (IBA vol. 1, 9.3).
 * Written by the responder of an atomic, read by the requester.
 *
 * <pre>
 *  byte   +0
 *    0  | original                              |  what the remote memory had before
 * </pre>
 */
public final class AtomicAckEthLayout {
    public static final int SIZE_BYTES = 8;

    private AtomicAckEthLayout() {}

    public static void write(MemorySegment packet, long atomicAckEth, long original) {
        packet.set(LONG, atomicAckEth, original);
    }

    public static long original(MemorySegment packet, long atomicAckEth) {
        return packet.get(LONG, atomicAckEth);
    }
}
