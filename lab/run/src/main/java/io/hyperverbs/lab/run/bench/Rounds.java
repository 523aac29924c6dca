package io.hyperverbs.lab.run.bench;

import io.hyperverbs.launcher.failure.HvException;

/** Runs single rounds; in a machine, or made up in tests. */
public interface Rounds {
    /**
     * Runs a round to its end.
     *
     * @param iterations timed at most
     * @param warmUp operations before, not timed
     * @param millis after which it ends too
     * @return nanoseconds of each operation
     */
    long[] run(MeasuredPath path, Cell cell, int iterations, int warmUp, int millis)
            throws HvException, InterruptedException;
}
