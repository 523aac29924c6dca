package io.hyperverbs.hca.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory for packets between the network and the HCA: so many slots, each with what is known of its packet. Made once
 * for a port. Engine thread only; {@link #take} and {@link #free} allocate nothing.
 */
final class PacketSlots {
    /** Packets that may be delayed at a time, 17 MB of them. */
    static final int COUNT = 4096;

    /** No slot is free. */
    static final int NONE = -1;

    /** Room for any packet: largest payload, headers and ICRC. */
    static final int SLOT_BYTES = 4096 + 128;

    final MemorySegment memory = Arena.ofAuto().allocate((long) COUNT * SLOT_BYTES, 64);
    final int[] lengthBytes = new int[COUNT];
    final int[] sourceAddress = new int[COUNT];
    final int[] sourcePort = new int[COUNT];
    final int[] destinationAddress = new int[COUNT];
    final int[] trafficClass = new int[COUNT];

    /** When it goes on from where it is. */
    final long[] timeNanos = new long[COUNT];

    private final int[] free = new int[COUNT];
    private int freeCount = COUNT;

    PacketSlots() {
        for (int i = 0; i < COUNT; i++) {
            free[i] = COUNT - 1 - i;
        }
    }

    static long offset(int slot) {
        return (long) slot * SLOT_BYTES;
    }

    /** A slot for the caller to fill, or {@link #NONE}. */
    int take() {
        return freeCount == 0 ? NONE : free[--freeCount];
    }

    void free(int slot) {
        free[freeCount++] = slot;
    }
}
