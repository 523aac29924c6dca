package io.hyperverbs.lab.dsm.apps.tsp;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedLongs;

/**
 * The shared queue of partial tours, the one with the lowest bound first, all under one lock. It is a binary heap of
 * bounds, each with the number of a tour in a pool; a minipage of the pool is a tour. A node that takes a tour extends
 * the short ones before, and so the queue is empty only when nothing is left to do.
 * <pre>
 *  counts   queued tours, tours in the pool
 *  heap     bound &lt;&lt; 32 | number of the tour
 *  pool     cities (PackedTour), how many, length; the fourth is not used
 * </pre>
 */
final class TourQueue {
    static final long NONE = -1;

    private static final int LOCK = 0;
    private static final int QUEUED = 0;
    private static final int POOLED = 1;
    private static final int COUNTS = 2;
    private static final int HEAP_PAGE = 16;
    private static final int TOUR = 4;
    private static final int COUNT = 1;
    private static final int LENGTH = 2;

    private final Dsm dsm;
    private final TspCities cities;
    private final ShortestTour shortest;
    private final SharedLongs counts;
    private final SharedLongs heap;
    private final SharedLongs pool;
    private final long[] taken = new long[TOUR];

    /** Collective. Node 0 puts in the tour of city 0 alone. */
    TourQueue(Dsm dsm, TspCities cities, ShortestTour shortest) {
        this.dsm = dsm;
        this.cities = cities;
        this.shortest = shortest;
        int most = mostTours(cities);
        counts = dsm.longs(COUNTS, COUNTS);
        heap = dsm.longs(most, HEAP_PAGE);
        pool = dsm.longs(most * TOUR, TOUR);
        if (dsm.node() == 0) {
            put(0, 1, 0, 0);
        }
    }

    /** The root and what grows out of it, as places in the pool are used once. */
    private static int mostTours(TspCities cities) {
        int most = 1;
        int level = 1;
        for (int count = 1; count < cities.queuedCities(); count++) {
            level *= cities.count() - count;
            most += level;
        }
        return most;
    }

    /** @return a tour of {@link TspCities#queuedCities()} cities that may become the shortest, or {@link #NONE} */
    long take() {
        dsm.lock(LOCK);
        long tour = NONE;
        while (tour == NONE && counts.get(QUEUED) > 0) {
            long first = removeFirst();
            if (bound(first) >= shortest.length()) {
                // So are the bounds of all others.
                counts.set(QUEUED, 0);
            } else {
                pool.get((int) first * TOUR, taken, 0, TOUR);
                if (taken[COUNT] == cities.queuedCities()) {
                    tour = taken[0];
                } else {
                    branch(taken[0], (int) taken[COUNT], (int) taken[LENGTH]);
                }
            }
        }
        dsm.unlock(LOCK);
        return tour;
    }

    private static long bound(long entry) {
        return entry >>> Integer.SIZE;
    }

    private void branch(long tour, int count, int length) {
        int visited = 0;
        for (int i = 0; i < count; i++) {
            visited |= 1 << PackedTour.city(tour, i);
        }
        int last = PackedTour.city(tour, count - 1);
        int ways = 0;
        for (int city = 0; city < cities.count(); city++) {
            ways += (visited >> city & 1) == 0 ? cities.shortestRoad(city) : 0;
        }
        for (int city = 0; city < cities.count(); city++) {
            int longer = length + cities.distance(last, city);
            if ((visited >> city & 1) == 0 && longer + ways < shortest.length()) {
                put(PackedTour.with(tour, count, city), count + 1, longer, longer + ways);
            }
        }
    }

    private void put(long tour, int count, int length, int bound) {
        int number = (int) counts.get(POOLED);
        counts.set(POOLED, number + 1);
        pool.set(number * TOUR, new long[] {tour, count, length, 0}, 0, TOUR);
        int place = (int) counts.get(QUEUED);
        counts.set(QUEUED, place + 1);
        long entry = (long) bound << Integer.SIZE | number;
        while (place > 0 && heap.get((place - 1) / 2) > entry) {
            heap.set(place, heap.get((place - 1) / 2));
            place = (place - 1) / 2;
        }
        heap.set(place, entry);
    }

    private long removeFirst() {
        long first = heap.get(0);
        int size = (int) counts.get(QUEUED) - 1;
        counts.set(QUEUED, size);
        long entry = heap.get(size);
        int place = 0;
        int child = lowerChild(0, size);
        while (child < size && heap.get(child) < entry) {
            heap.set(place, heap.get(child));
            place = child;
            child = lowerChild(place, size);
        }
        heap.set(place, entry);
        return first;
    }

    /** At least {@code size} when there is none. */
    private int lowerChild(int place, int size) {
        int child = 2 * place + 1;
        return child + 1 < size && heap.get(child + 1) < heap.get(child) ? child + 1 : child;
    }
}
