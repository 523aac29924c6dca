package io.hyperverbs.lab.bench.perf;

/** Options of a round that are there or not. */
public enum PerfFlag {
    /** {@code -e}: sleep on completion events. */
    EVENTS,
    /** {@code -b}: both sides send. */
    BIDIRECTIONAL,
    /** {@code -N}, and where perftest has none: no peak bandwidth. */
    NO_PEAK,
    /** {@code --use-srq}: receives of all queue pairs come from one queue. */
    SRQ
}
