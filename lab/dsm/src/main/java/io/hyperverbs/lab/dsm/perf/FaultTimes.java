package io.hyperverbs.lab.dsm.perf;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedLongs;
import io.hyperverbs.upper.dsm.options.DsmOptions;
import java.util.Arrays;

/**
 * How long a node waits for locks and minipages of another one, whose program sleeps in a barrier meanwhile. Node 0
 * measures, node 1 is home and owner, node 2 has copies where the owner may not write.
 */
final class FaultTimes {
    static final int NODES = 3;

    private static final int HOME = 1;
    private static final int READER = 2;
    private static final int WARM = 100;
    private static final int ROUNDS = 300;
    private static final double NANOS_PER_MICRO = 1e3;

    private final DsmOptions options;
    private final long[] nanos = new long[WARM + ROUNDS];

    FaultTimes(DsmOptions options) {
        this.options = options;
    }

    /** Median of a lock that is free, from its home, in us; of use at node 0. Collective. */
    double lockMicros() {
        try (Dsm dsm = Dsm.join(options)) {
            if (dsm.node() == 0) {
                for (int i = 0; i < nanos.length; i++) {
                    long beganNanos = System.nanoTime();
                    dsm.lock(HOME);
                    nanos[i] = System.nanoTime() - beganNanos;
                    dsm.unlock(HOME);
                }
            }
            dsm.barrier();
        }
        return medianMicros();
    }

    /**
     * Median of a load without a copy, in us; of use at node 0. Collective.
     *
     * @param isShared another node has a copy, so that the owner may not write
     */
    double readFaultMicros(int minipageBytes, boolean isShared) {
        int perMinipage = minipageBytes / Long.BYTES;
        int minipages = (int) Math.min(nanos.length, options.memoryBytes() / NODES / minipageBytes);
        try (Dsm dsm = Dsm.join(options)) {
            SharedLongs shared = dsm.longs(NODES * minipages * perMinipage, perMinipage);
            for (int done = 0; done < nanos.length; done += minipages) {
                int some = Math.min(minipages, nanos.length - done);
                prepare(dsm, shared, minipages, perMinipage, isShared);
                if (dsm.node() == 0) {
                    load(shared, minipages * perMinipage, perMinipage, done, some);
                }
                dsm.barrier();
            }
        }
        return medianMicros();
    }

    /** The home takes its minipages back by writing them. */
    private static void prepare(Dsm dsm, SharedLongs shared, int minipages, int perMinipage, boolean isShared) {
        for (int i = 0; dsm.node() == HOME && i < minipages; i++) {
            shared.set((minipages + i) * perMinipage, i);
        }
        dsm.barrier();
        for (int i = 0; dsm.node() == READER && isShared && i < minipages; i++) {
            shared.get((minipages + i) * perMinipage);
        }
        dsm.barrier();
    }

    private void load(SharedLongs shared, int from, int perMinipage, int done, int some) {
        for (int i = 0; i < some; i++) {
            long beganNanos = System.nanoTime();
            shared.get(from + i * perMinipage);
            nanos[done + i] = System.nanoTime() - beganNanos;
        }
    }

    private double medianMicros() {
        long[] warm = Arrays.copyOfRange(nanos, WARM, nanos.length);
        Arrays.sort(warm);
        return warm[warm.length / 2] / NANOS_PER_MICRO;
    }
}
