package io.hyperverbs.lab.dsm.apps.tsp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.dsm.apps.AppSize;
import org.junit.jupiter.api.Test;

/** Dynamic programming finds what trying all tours finds. */
class HeldKarpTest {
    @Test
    void findsTheShortestOfAllTours() {
        TspCities cities = TspCities.of(AppSize.SMALL);

        assertThat(HeldKarp.shortest(cities)).isEqualTo(shortestEnd(cities, 0, 1, 0));
    }

    @Test
    void knowsOfNoWayOnShorterThanTheShortestRoad() {
        TspCities cities = TspCities.of(AppSize.STANDARD);

        for (int from = 0; from < cities.count(); from++) {
            for (int to = 0; to < cities.count(); to++) {
                assertThat(from == to || cities.distance(from, to) >= cities.shortestRoad(from))
                        .isTrue();
            }
        }
    }

    private static int shortestEnd(TspCities cities, int last, int visited, int length) {
        int shortest = Integer.MAX_VALUE;
        for (int next = 0; next < cities.count(); next++) {
            if ((visited >> next & 1) == 0) {
                int longer = length + cities.distance(last, next);
                shortest = Math.min(shortest, shortestEnd(cities, next, visited | 1 << next, longer));
            }
        }
        return visited == (1 << cities.count()) - 1 ? length + cities.distance(last, 0) : shortest;
    }
}
