package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.VerbsException;

/** Does sequences, and times each step. One thread. */
interface CallSteps extends AutoCloseable {
    /** Does a round's sequence once; the times of its steps go into {@code into}, from {@code from} on. */
    void once(CallRound round, long[] into, int from) throws VerbsException, BenchFailure;

    @Override
    void close() throws VerbsException;
}
