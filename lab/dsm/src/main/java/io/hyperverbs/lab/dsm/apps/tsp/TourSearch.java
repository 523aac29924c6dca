package io.hyperverbs.lab.dsm.apps.tsp;

/** Tries all completions of a partial tour, depth first, but for those that the shortest tour known prunes. */
final class TourSearch {
    private final TspCities cities;
    private final ShortestTour shortest;

    TourSearch(TspCities cities, ShortestTour shortest) {
        this.cities = cities;
        this.shortest = shortest;
    }

    /** @param tour of {@link TspCities#queuedCities()} cities */
    void complete(long tour) {
        int count = cities.queuedCities();
        int left = (1 << cities.count()) - 1;
        int length = 0;
        for (int i = 0; i < count; i++) {
            left &= ~(1 << PackedTour.city(tour, i));
            length += i == 0 ? 0 : cities.distance(PackedTour.city(tour, i - 1), PackedTour.city(tour, i));
        }
        int ways = 0;
        for (int city = 0; city < cities.count(); city++) {
            ways += (left >> city & 1) == 1 ? cities.shortestRoad(city) : 0;
        }
        extend(tour, count, left, length, ways);
    }

    /**
     * @param left cities not yet visited, as bits
     * @param length of the tour so far
     * @param ways what leaving these cities takes at least
     */
    private void extend(long tour, int count, int left, int length, int ways) {
        int last = PackedTour.city(tour, count - 1);
        if (left == 0) {
            int closed = length + cities.distance(last, 0);
            if (closed < shortest.length()) {
                shortest.offer(closed, tour);
            }
            return;
        }
        for (int untried = left; untried != 0; untried &= untried - 1) {
            int city = Integer.numberOfTrailingZeros(untried);
            int longer = length + cities.distance(last, city);
            if (longer + ways < shortest.length()) {
                extend(
                        PackedTour.with(tour, count, city),
                        count + 1,
                        left & ~(1 << city),
                        longer,
                        ways - cities.shortestRoad(city));
            }
        }
    }
}
