package io.hyperverbs.hca.tpt;

import org.jspecify.annotations.Nullable;

/**
 * Regions by (PD, key), open addressing. The PD is part of what is looked up, so a foreign key is
 * simply absent. PDs count from 1, so 0 marks a free slot.
 */
final class KeyTable {
    private final long[] keys;
    private final @Nullable Region[] regions;
    private final int mask;

    KeyTable(int maxEntries) {
        int capacity = Integer.highestOneBit(Math.max(maxEntries, 4)) << 2;
        keys = new long[capacity];
        regions = new Region[capacity];
        mask = capacity - 1;
    }

    @Nullable
    Region find(int pd, int key) {
        long wanted = combine(pd, key);
        int slot = home(wanted);
        while (keys[slot] != 0) {
            if (keys[slot] == wanted) {
                return regions[slot];
            }
            slot = (slot + 1) & mask;
        }
        return null;
    }

    void put(int pd, int key, Region region) {
        int slot = home(combine(pd, key));
        while (keys[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        keys[slot] = combine(pd, key);
        regions[slot] = region;
    }

    /** Entries behind the removed one move up, so there are no tombstones. */
    void remove(int pd, int key) {
        long wanted = combine(pd, key);
        int hole = home(wanted);
        while (keys[hole] != wanted) {
            if (keys[hole] == 0) {
                return;
            }
            hole = (hole + 1) & mask;
        }
        int slot = (hole + 1) & mask;
        while (keys[slot] != 0) {
            if (((slot - home(keys[slot])) & mask) >= ((slot - hole) & mask)) {
                keys[hole] = keys[slot];
                regions[hole] = regions[slot];
                hole = slot;
            }
            slot = (slot + 1) & mask;
        }
        keys[hole] = 0;
        regions[hole] = null;
    }

    private static long combine(int pd, int key) {
        return (long) pd << 32 | (key & 0xffff_ffffL);
    }

    private int home(long combined) {
        return (int) ((combined * 0x9E3779B97F4A7C15L) >>> 33) & mask;
    }
}
