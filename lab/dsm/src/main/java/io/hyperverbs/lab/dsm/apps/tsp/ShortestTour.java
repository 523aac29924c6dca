package io.hyperverbs.lab.dsm.apps.tsp;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedLongs;

/**
 * The shortest tour that any node has found. Its length is read without the lock, at each step of a search: it only
 * falls, and the memory is sequentially consistent, so a search may do too much but never misses a tour.
 */
final class ShortestTour {
    private static final int LOCK = 1;
    private static final int LENGTH = 0;
    private static final int TOUR = 1;
    private static final int SIZE = 2;

    private final Dsm dsm;
    private final SharedLongs shared;

    /** Collective. */
    ShortestTour(Dsm dsm) {
        this.dsm = dsm;
        shared = dsm.longs(SIZE, SIZE);
        if (dsm.node() == 0) {
            shared.set(LENGTH, Integer.MAX_VALUE);
        }
    }

    long length() {
        return shared.get(LENGTH);
    }

    long tour() {
        return shared.get(TOUR);
    }

    void offer(int length, long tour) {
        dsm.lock(LOCK);
        // Another node may have found a shorter one since the caller looked.
        if (length < length()) {
            shared.set(LENGTH, length);
            shared.set(TOUR, tour);
        }
        dsm.unlock(LOCK);
    }
}
