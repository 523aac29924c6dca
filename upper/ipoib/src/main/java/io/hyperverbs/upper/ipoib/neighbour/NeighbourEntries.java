package io.hyperverbs.upper.ipoib.neighbour;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Neighbours by address, and in the order of their last use: hash chains and a list through the entries themselves,
 * as a map of the JDK would need an object as its key for each packet. One thread.
 */
final class NeighbourEntries {
    private static final long MIX = 0x9e37_79b9_7f4a_7c15L;

    private final @Nullable Neighbour[] buckets;
    // Other nodes choose addresses; without the seed they could put them all into one bucket.
    private final long seed = ThreadLocalRandom.current().nextLong();
    private @Nullable Neighbour newest;
    private @Nullable Neighbour oldest;
    private int size;

    NeighbourEntries(int capacity) {
        this.buckets = new Neighbour[Math.max(2, Integer.highestOneBit(capacity) * 2)];
    }

    int size() {
        return size;
    }

    /** The one whose last use is longest ago; null if there is none. */
    @Nullable
    Neighbour oldest() {
        return oldest;
    }

    /** The one that was used last; null if there is none. */
    @Nullable
    Neighbour newest() {
        return newest;
    }

    @Nullable
    Neighbour find(long high, long low) {
        Neighbour entry = buckets[bucket(high, low)];
        while (entry != null && (entry.address.low() != low || entry.address.high() != high)) {
            entry = entry.next;
        }
        return entry;
    }

    /** Adds one whose address is not there yet, as the one that was used last. */
    void add(Neighbour entry) {
        int bucket = bucket(entry.address.high(), entry.address.low());
        entry.next = buckets[bucket];
        buckets[bucket] = entry;
        link(entry);
        size++;
    }

    void remove(Neighbour entry) {
        int bucket = bucket(entry.address.high(), entry.address.low());
        Neighbour before = buckets[bucket];
        if (before == entry) {
            buckets[bucket] = entry.next;
        } else {
            while (before != null && before.next != entry) {
                before = before.next;
            }
            if (before == null) {
                throw new IllegalStateException(entry.address + " is not in the table");
            }
            before.next = entry.next;
        }
        unlink(entry);
        size--;
    }

    /** Makes it the one that was used last. */
    void touch(Neighbour entry) {
        if (entry != newest) {
            unlink(entry);
            link(entry);
        }
    }

    private void link(Neighbour entry) {
        entry.older = newest;
        entry.newer = null;
        if (newest == null) {
            oldest = entry;
        } else {
            newest.newer = entry;
        }
        newest = entry;
    }

    private void unlink(Neighbour entry) {
        if (entry.newer == null) {
            newest = entry.older;
        } else {
            entry.newer.older = entry.older;
        }
        if (entry.older == null) {
            oldest = entry.newer;
        } else {
            entry.older.newer = entry.newer;
        }
    }

    private int bucket(long high, long low) {
        long mixed = (high ^ seed) * MIX;
        mixed = (mixed ^ mixed >>> 32 ^ low) * MIX;
        return (int) (mixed >>> 32) & (buckets.length - 1);
    }
}
