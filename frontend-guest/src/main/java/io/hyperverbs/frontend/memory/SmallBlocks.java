package io.hyperverbs.frontend.memory;

import io.hyperverbs.vmm.io.FrameRun;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Blocks of 64 to 2048 bytes, cut out of frames; a frame holds blocks of one size. The caller
 * supplies frames and gets back those that are empty. One thread at a time.
 */
final class SmallBlocks {
    static final int SMALLEST_BYTES = 64;
    static final int LARGEST_BYTES = FrameRun.FRAME_BYTES / 2;

    /** One frame; bit i of {@code free}: block i may be taken. */
    private static final class Slab {
        final long address;
        final int blockBytes;
        long free;

        Slab(long address, int blockBytes) {
            this.address = address;
            this.blockBytes = blockBytes;
            this.free = allFree();
        }

        long allFree() {
            int blocks = FrameRun.FRAME_BYTES / blockBytes;
            return blocks == Long.SIZE ? -1L : (1L << blocks) - 1;
        }
    }

    private final Map<Long, Slab> slabs = new HashMap<>();
    private final Map<Integer, Set<Slab>> withRoom = new HashMap<>();

    /** The block size for a buffer: a power of two, which is its alignment too. */
    static int blockBytes(long lengthBytes, long alignmentBytes) {
        long atLeast = Math.max(SMALLEST_BYTES, Math.max(lengthBytes, alignmentBytes));
        return Math.toIntExact(Long.highestOneBit(atLeast - 1) << 1);
    }

    /** Takes a block of that size; its address, or -1 if {@link #addFrame} is needed first. */
    long take(int blockBytes) {
        Set<Slab> candidates = withRoom.get(blockBytes);
        if (candidates == null || candidates.isEmpty()) {
            return -1;
        }
        Slab slab = candidates.iterator().next();
        int block = Long.numberOfTrailingZeros(slab.free);
        slab.free &= ~(1L << block);
        if (slab.free == 0) {
            candidates.remove(slab);
        }
        return slab.address + (long) block * blockBytes;
    }

    /** A frame to cut blocks of that size from. */
    void addFrame(long address, int blockBytes) {
        Slab slab = new Slab(address, blockBytes);
        slabs.put(address, slab);
        withRoom.computeIfAbsent(blockBytes, _ -> new LinkedHashSet<>()).add(slab);
    }

    /**
     * Gives a taken block back; the address of its frame if that is empty now and gone from here,
     * or -1.
     */
    long give(long address) {
        Slab slab = slabs.get(address & -FrameRun.FRAME_BYTES);
        if (slab == null) {
            throw new IllegalStateException("no frame of small blocks at " + address);
        }
        int block = (int) ((address - slab.address) / slab.blockBytes);
        slab.free |= 1L << block;
        Set<Slab> candidates = withRoom.computeIfAbsent(slab.blockBytes, _ -> new LinkedHashSet<>());
        if (slab.free == slab.allFree()) {
            candidates.remove(slab);
            slabs.remove(slab.address);
            return slab.address;
        }
        candidates.add(slab);
        return -1;
    }
}
