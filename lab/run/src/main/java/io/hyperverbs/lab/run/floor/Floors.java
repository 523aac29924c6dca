package io.hyperverbs.lab.run.floor;

import io.hyperverbs.launcher.failure.HvException;

/** Where floors are measured. */
@FunctionalInterface
public interface Floors {
    /**
     * Measures one. Streams go by their time alone: {@code millis}, and as long before if there is a warm-up.
     *
     * @param iterations timed at most
     * @param warmUp operations before, not timed
     * @param millis after which it ends too
     * @return nanoseconds of each operation, at least one; what they are divided by is {@link Floor#divisor}
     */
    long[] measure(FloorCell cell, int iterations, int warmUp, int millis) throws HvException, InterruptedException;
}
