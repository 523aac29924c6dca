package io.hyperverbs.lab.dsm.perf;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedLongs;
import java.util.Arrays;

/** What the check before each access costs, on memory that no other node wants, beside a plain array. */
final class CheckTimes {
    private static final int LENGTH = 1 << 12;
    private static final int PER_MINIPAGE = 64;
    private static final int ROUNDS = 400;
    private static final int TURNS = 16;

    private final SharedLongs shared;
    private final int first;
    private final long[] plain = new long[LENGTH];

    /** So that no loop is left out. */
    private volatile long seen;

    /** Collective; the part that a node is home to is measured. */
    CheckTimes(Dsm dsm) {
        this.shared = dsm.longs(LENGTH * dsm.nodes(), PER_MINIPAGE);
        this.first = LENGTH * dsm.node();
    }

    /** Median time of an access in ns. */
    record Times(double plainLoad, double load, double plainStore, double store, double bulkLoad) {}

    Times measure() {
        return new Times(
                nanos(() -> {
                    long sum = 0;
                    for (int i = 0; i < LENGTH; i++) {
                        sum += plain[i];
                    }
                    seen = sum;
                }),
                nanos(() -> {
                    long sum = 0;
                    for (int i = 0; i < LENGTH; i++) {
                        sum += shared.get(first + i);
                    }
                    seen = sum;
                }),
                nanos(() -> {
                    long value = seen;
                    for (int i = 0; i < LENGTH; i++) {
                        plain[i] = value + i;
                    }
                }),
                nanos(() -> {
                    long value = seen;
                    for (int i = 0; i < LENGTH; i++) {
                        shared.set(first + i, value + i);
                    }
                }),
                nanos(() -> shared.get(first, plain, 0, LENGTH)));
    }

    private static double nanos(Runnable loop) {
        long[] all = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long beganNanos = System.nanoTime();
            for (int turn = 0; turn < TURNS; turn++) {
                loop.run();
            }
            all[round] = System.nanoTime() - beganNanos;
        }
        Arrays.sort(all);
        return (double) all[ROUNDS / 2] / TURNS / LENGTH;
    }
}
