package io.hyperverbs.lab.dsm.apps.tsp;

import io.hyperverbs.lab.dsm.apps.AppSize;
import io.hyperverbs.lab.dsm.apps.AppTimer;
import io.hyperverbs.lab.dsm.apps.DsmApplication;
import io.hyperverbs.upper.dsm.Dsm;

/**
 * TSP: the shortest tour through all cities, by branch and bound (Liss 2003 §5.2, TreadMarks). Nodes take the most
 * promising partial tour from a shared queue and try all its completions; the length of the shortest tour found is
 * shared as well, and prunes what cannot be shorter. Which tours are tried depends on the run, the length of the
 * shortest does not.
 */
public final class TspApplication implements DsmApplication {
    private static final double[] NOTHING = {};

    @Override
    public String name() {
        return "tsp";
    }

    @Override
    public double[] run(Dsm dsm, AppSize size, AppTimer timer) {
        TspCities cities = TspCities.of(size);
        ShortestTour shortest = new ShortestTour(dsm);
        TourQueue queue = new TourQueue(dsm, cities, shortest);
        TourSearch search = new TourSearch(cities, shortest);
        timer.start();
        for (long tour = queue.take(); tour != TourQueue.NONE; tour = queue.take()) {
            search.complete(tour);
        }
        timer.stop();
        return dsm.node() == 0 ? result(cities, shortest) : NOTHING;
    }

    /** What the shared memory says of the shortest tour, then what its cities say. */
    private static double[] result(TspCities cities, ShortestTour shortest) {
        long tour = shortest.tour();
        long visited = 0;
        for (int i = 0; i < cities.count(); i++) {
            visited |= 1L << PackedTour.city(tour, i);
        }
        return new double[] {shortest.length(), cities.roundTrip(tour), Long.bitCount(visited)};
    }

    @Override
    public double[] expected(AppSize size) {
        TspCities cities = TspCities.of(size);
        int length = HeldKarp.shortest(cities);
        return new double[] {length, length, cities.count()};
    }
}
