package io.hyperverbs.lab.run.calls;

import io.hyperverbs.launcher.failure.HvException;

/** Runs single rounds of sequences; in a machine and beside it, or made up in tests. */
@FunctionalInterface
public interface CallSites {
    /**
     * Runs a sequence, again and again.
     *
     * @param round from 0; a guest that was not used before is another one in each
     * @return nanoseconds of each step, of the sequence's first time, then of its second, and so on; of a floor those of
     *     one call after another
     */
    long[] run(CallSite site, CallCell cell, int round, CallTerms terms) throws HvException, InterruptedException;
}
