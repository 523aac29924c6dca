package io.hyperverbs.lab.run.calls;

/**
 * How long a sequence is timed.
 *
 * @param iterations timed at most
 * @param warmUp times before, not timed
 * @param millis after which it ends too
 */
public record CallTerms(int iterations, int warmUp, int millis) {}
