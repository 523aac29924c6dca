package io.hyperverbs.lab.dsm.apps;

import io.hyperverbs.upper.dsm.Dsm;
import java.util.function.LongSupplier;

/**
 * A program that all nodes run on the data that they share. Its result is the same to the last bit on any number of
 * nodes: where nodes add in the order in which they come, they add integers. Without state, so that nodes which are
 * threads of one program can use one object.
 */
public interface DsmApplication {
    /** One word in lower case. */
    String name();

    /**
     * Runs on all nodes. Collective.
     *
     * @param timer started after the shared data has its first values, stopped before the result is collected
     * @return the result at node 0, nothing at the others
     */
    double[] run(Dsm dsm, AppSize size, AppTimer timer);

    /** The result that {@link #run} must have, from a sequential program on arrays that nobody shares. */
    double[] expected(AppSize size);

    /**
     * Runs on all nodes, and compares at node 0. Collective.
     *
     * @param nanoClock as {@link System#nanoTime}
     * @return what node 0 found; at the others the time alone
     */
    default AppResult measure(Dsm dsm, AppSize size, LongSupplier nanoClock) {
        AppTimer timer = new AppTimer(dsm, nanoClock);
        double[] found = run(dsm, size, timer);
        double[] expected = dsm.node() == 0 ? expected(size) : found;
        return new AppResult(
                name(), dsm.nodes(), timer.nanos(), timer.traffic().ofAll(dsm), AppResult.difference(found, expected));
    }
}
