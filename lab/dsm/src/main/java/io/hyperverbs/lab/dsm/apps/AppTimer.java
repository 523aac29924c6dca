package io.hyperverbs.lab.dsm.apps;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.node.NodeCounts;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The time of the measured part of a run, which begins and ends in all nodes together. One for each node and run. */
public final class AppTimer {
    private final Dsm dsm;
    private final LongSupplier nanoClock;
    private long startNanos;
    private long nanos;
    private @Nullable NodeCounts startCounts;
    private AppTraffic traffic = AppTraffic.NONE;

    /** @param nanoClock as {@link System#nanoTime} */
    public AppTimer(Dsm dsm, LongSupplier nanoClock) {
        this.dsm = dsm;
        this.nanoClock = nanoClock;
    }

    /** Waits for all nodes, then starts. Collective. */
    public void start() {
        dsm.barrier();
        startCounts = dsm.counts();
        startNanos = nanoClock.getAsLong();
    }

    /** Waits for all nodes, then stops: what any node wrote before can be read. Collective. */
    public void stop() {
        dsm.barrier();
        nanos = nanoClock.getAsLong() - startNanos;
        if (startCounts != null) {
            traffic = AppTraffic.between(startCounts, dsm.counts());
        }
    }

    /** What this node sent between start and stop; a message of the barriers may count more or less. */
    AppTraffic traffic() {
        return traffic;
    }

    /** What passed between start and stop. */
    public long nanos() {
        return nanos;
    }
}
