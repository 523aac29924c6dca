package io.hyperverbs.lab.run.fairness;

/**
 * What a victim got done.
 *
 * @param perSecond operations
 * @param p50Nanos of one of them
 * @param p99Nanos of one of them
 */
public record LoadPace(double perSecond, long p50Nanos, long p99Nanos) {}
