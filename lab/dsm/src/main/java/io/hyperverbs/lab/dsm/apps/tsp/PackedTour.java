package io.hyperverbs.lab.dsm.apps.tsp;

/** Cities in the order of a visit, four bits each, the first in the lowest bits. Their number is kept elsewhere. */
final class PackedTour {
    static final int MOST_CITIES = 16;

    private static final int CITY_BITS = 4;
    private static final long CITY_MASK = MOST_CITIES - 1;

    private PackedTour() {}

    static int city(long tour, int index) {
        return (int) (tour >>> (index * CITY_BITS) & CITY_MASK);
    }

    /** @param count cities in the tour so far */
    static long with(long tour, int count, int city) {
        return tour | (long) city << (count * CITY_BITS);
    }
}
