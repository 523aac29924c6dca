package io.hyperverbs.hca.wire;

import static io.hyperverbs.hca.wire.NetworkBytes.INT;
import static io.hyperverbs.hca.wire.NetworkBytes.LONG;

import java.lang.foreign.MemorySegment;

/**
 * Atomic extended transport header: 28 bytes, big-endian, any alignment (IBA vol. 1, 9.3).
 * Written by the requester of an atomic, read by the responder.
 *
 * <pre>
 *  byte   +0                      +4
 *    0  | remoteAddress                         |
 *    8  | rkey                  | swapOrAdd ... |
 *   16  | ... swapOrAdd         | compare ...   |
 *   24  | ... compare           |
 * </pre>
 *
 * A fetch and add has its addend in {@code swapOrAdd}, and zero in {@code compare}.
 */
public final class AtomicEthLayout {
    public static final int SIZE_BYTES = 28;
    static final long REMOTE_ADDRESS_OFFSET = 0;
    static final long RKEY_OFFSET = 8;
    static final long SWAP_OR_ADD_OFFSET = 12;
    static final long COMPARE_OFFSET = 20;

    private AtomicEthLayout() {}

    public static void write(
            MemorySegment packet, long atomicEth, long remoteAddress, int rkey, long swapOrAdd, long compare) {
        packet.set(LONG, atomicEth + REMOTE_ADDRESS_OFFSET, remoteAddress);
        packet.set(INT, atomicEth + RKEY_OFFSET, rkey);
        packet.set(LONG, atomicEth + SWAP_OR_ADD_OFFSET, swapOrAdd);
        packet.set(LONG, atomicEth + COMPARE_OFFSET, compare);
    }

    public static long remoteAddress(MemorySegment packet, long atomicEth) {
        return packet.get(LONG, atomicEth + REMOTE_ADDRESS_OFFSET);
    }

    public static int rkey(MemorySegment packet, long atomicEth) {
        return packet.get(INT, atomicEth + RKEY_OFFSET);
    }

    public static long swapOrAdd(MemorySegment packet, long atomicEth) {
        return packet.get(LONG, atomicEth + SWAP_OR_ADD_OFFSET);
    }

    public static long compare(MemorySegment packet, long atomicEth) {
        return packet.get(LONG, atomicEth + COMPARE_OFFSET);
    }
}
