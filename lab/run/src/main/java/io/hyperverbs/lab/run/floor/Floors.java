package io.hyperverbs.lab.run.floor;

import io.hyperverbs.launcher.failure.HvException;

/** Where floors are measured. */
@FunctionalInterface
public interface Floors {
    /**
     * Measures one.
     *
     * @param iterations timed at most
     * @param warmUp operations before, not timed
     * @param millis after which it ends too
     * @return nanoseconds of each operation, at least one
     */
    long[] measure(FloorCell cell, int iterations, int warmUp, int millis) throws HvException, InterruptedException;
}
