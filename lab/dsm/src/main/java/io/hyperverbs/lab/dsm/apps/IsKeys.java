package io.hyperverbs.lab.dsm.apps;

import java.util.SplittableRandom;

/**
 * The keys of {@link IsApplication}: bell-shaped, with two changed in each iteration (NAS RNR-94-007, section 3.5).
 *
 * @param count a power of two
 * @param range keys are from 0 to range - 1
 */
record IsKeys(int count, int range, int iterations) {
    private static final long SEED = 314159265;
    private static final int DRAWS = 4;

    static IsKeys of(AppSize size) {
        return switch (size) {
            case SMALL -> new IsKeys(1 << 12, 1 << 8, 3);
            case STANDARD -> new IsKeys(1 << 18, 1 << 11, 40);
        };
    }

    int[] start() {
        SplittableRandom random = new SplittableRandom(SEED);
        int[] keys = new int[count];
        for (int i = 0; i < count; i++) {
            for (int draw = 0; draw < DRAWS; draw++) {
                keys[i] += random.nextInt(range / DRAWS);
            }
        }
        return keys;
    }

    /** @param first index of the first of these keys among all */
    void change(int[] keys, int first, int iteration) {
        changeOne(keys, iteration - first, iteration);
        changeOne(keys, iterations + iteration - first, range - 1 - iteration);
    }

    private static void changeOne(int[] keys, int at, int key) {
        if (at >= 0 && at < keys.length) {
            keys[at] = key;
        }
    }

    /** All keys as the last iteration has them. */
    int[] last() {
        int[] keys = start();
        for (int iteration = 0; iteration < iterations; iteration++) {
            change(keys, 0, iteration);
        }
        return keys;
    }
}
