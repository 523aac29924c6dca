package io.hyperverbs.lab.dsm.apps.tsp;

import io.hyperverbs.lab.dsm.apps.AppSize;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Cities on a square, and whole distances between them. A tour begins at city 0 and returns to it. */
final class TspCities {
    private static final long SEED = 13;
    private static final int EDGE = 1000;

    private final int[][] distances;

    /** Cities in a partial tour; one node alone tries all its completions. */
    private final int queuedCities;

    private final int[] shortestRoads;

    private TspCities(int count, int queuedCities) {
        this.queuedCities = queuedCities;
        distances = new int[count][count];
        SplittableRandom random = new SplittableRandom(SEED);
        int[] x = new int[count];
        int[] y = new int[count];
        for (int city = 0; city < count; city++) {
            x[city] = random.nextInt(EDGE);
            y[city] = random.nextInt(EDGE);
            for (int other = 0; other < city; other++) {
                int across = x[city] - x[other];
                int along = y[city] - y[other];
                distances[city][other] = (int) Math.sqrt(across * across + along * along);
                distances[other][city] = distances[city][other];
            }
        }
        shortestRoads = new int[count];
        for (int city = 0; city < count; city++) {
            int[] roads = distances[city].clone();
            roads[city] = EDGE * 2;
            shortestRoads[city] = Arrays.stream(roads).min().orElse(0);
        }
    }

    static TspCities of(AppSize size) {
        return switch (size) {
            case SMALL -> new TspCities(9, 3);
            case STANDARD -> new TspCities(PackedTour.MOST_CITIES, 4);
        };
    }

    int count() {
        return distances.length;
    }

    int queuedCities() {
        return queuedCities;
    }

    int distance(int from, int to) {
        return distances[from][to];
    }

    /** Every way on from this city is at least as long. */
    int shortestRoad(int from) {
        return shortestRoads[from];
    }

    /** @return the length of a tour of all cities */
    int roundTrip(long tour) {
        int length = 0;
        for (int i = 0; i < count(); i++) {
            length += distances[PackedTour.city(tour, i)][PackedTour.city(tour, (i + 1) % count())];
        }
        return length;
    }
}
