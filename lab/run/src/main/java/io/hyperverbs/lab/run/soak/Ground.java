package io.hyperverbs.lab.run.soak;

import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.launcher.failure.HvException;
import java.util.List;

/** What a soak is made on: a machine whose victims have a load, and its time. */
public interface Ground {
    /**
     * What was seen of a fault when all it had was free again.
     *
     * @param millis until then
     */
    record Outcome(Verdict verdict, String observed, long millis) {}

    /**
     * Makes a fault and judges what it did to others.
     *
     * @param dice of the attacker
     */
    Outcome make(SoakFault fault, long dice) throws HvException, InterruptedException;

    /** Rounds a second that all victims together make at full speed. */
    long peakPerSecond() throws HvException;

    /** Rounds that all victims together have made. */
    long rounds() throws HvException;

    /** What each trusted process holds. */
    List<Holding> holdings() throws HvException, InterruptedException;

    /** Nanoseconds since some moment. */
    long nanoTime();

    /** Returns at {@code nanos} of {@link #nanoTime}, or at once if that has passed. */
    void awaitNanos(long nanos) throws InterruptedException;
}
