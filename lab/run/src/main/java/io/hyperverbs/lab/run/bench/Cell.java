package io.hyperverbs.lab.run.bench;

import io.hyperverbs.lab.bench.BenchVerb;

/** What is compared across paths: a verb with a message size. */
public record Cell(BenchVerb verb, int sizeBytes) {
    /** Times of a ping-pong span two messages; half is reported. */
    public double divisor() {
        return verb == BenchVerb.SEND ? 2 : 1;
    }
}
