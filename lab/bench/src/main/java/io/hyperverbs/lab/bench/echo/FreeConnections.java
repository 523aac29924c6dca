package io.hyperverbs.lab.bench.echo;

import java.util.SplittableRandom;

/** Connections without a request under way, by their index. One thread; no allocation. */
final class FreeConnections {
    private final SplittableRandom random;
    private final int[] indexes;
    private int count;

    /** All of them are free. */
    FreeConnections(int connections, long seed) {
        random = new SplittableRandom(seed);
        indexes = new int[connections];
        for (int i = 0; i < connections; i++) {
            free(i);
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean areAll() {
        return count == indexes.length;
    }

    /** Takes one at random; there has to be one. */
    int take() {
        int at = random.nextInt(count);
        int taken = indexes[at];
        indexes[at] = indexes[--count];
        return taken;
    }

    /** The request of that connection has its reply. */
    void free(int index) {
        indexes[count++] = index;
    }
}
