package io.hyperverbs.lab.dsm.apps;

import io.hyperverbs.upper.dsm.Dsm;
import java.util.function.LongSupplier;

/** The time of the measured part of a run, which begins and ends in all nodes together. One for each node and run. */
public final class AppTimer {
    private final Dsm dsm;
    private final LongSupplier nanoClock;
    private long startNanos;
    private long nanos;

    /** @param nanoClock as {@link System#nanoTime} */
    public AppTimer(Dsm dsm, LongSupplier nanoClock) {
        this.dsm = dsm;
        this.nanoClock = nanoClock;
    }

    /** Waits for all nodes, then starts. Collective. */
    public void start() {
        dsm.barrier();
        startNanos = nanoClock.getAsLong();
    }

    /** Waits for all nodes, then stops: what any node wrote before can be read. Collective. */
    public void stop() {
        dsm.barrier();
        nanos = nanoClock.getAsLong() - startNanos;
    }

    /** What passed between start and stop. */
    public long nanos() {
        return nanos;
    }
}
