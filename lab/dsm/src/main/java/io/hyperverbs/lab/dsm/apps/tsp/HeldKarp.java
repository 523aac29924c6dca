package io.hyperverbs.lab.dsm.apps.tsp;

import java.util.Arrays;

/**
 * The shortest tour by dynamic programming (Held and Karp 1962): for each set of cities and each city in it, the
 * shortest path from city 0 through the set that ends there.
 */
final class HeldKarp {
    private static final int FAR = Integer.MAX_VALUE / 2;

    private HeldKarp() {}

    /** @return the length of the shortest tour */
    static int shortest(TspCities cities) {
        // City c + 1 is bit c of a set.
        int others = cities.count() - 1;
        int sets = 1 << others;
        int[] paths = new int[sets * others];
        Arrays.fill(paths, FAR);
        for (int last = 0; last < others; last++) {
            paths[(1 << last) * others + last] = cities.distance(0, last + 1);
        }
        for (int set = 1; set < sets; set++) {
            for (int last = 0; last < others; last++) {
                int path = paths[set * others + last];
                for (int next = 0; next < others && path < FAR; next++) {
                    if ((set >> next & 1) == 0) {
                        int longer = (set | 1 << next) * others + next;
                        paths[longer] = Math.min(paths[longer], path + cities.distance(last + 1, next + 1));
                    }
                }
            }
        }
        int shortest = FAR;
        for (int last = 0; last < others; last++) {
            int path = paths[(sets - 1) * others + last];
            shortest = Math.min(shortest, path + cities.distance(last + 1, 0));
        }
        return shortest;
    }
}
