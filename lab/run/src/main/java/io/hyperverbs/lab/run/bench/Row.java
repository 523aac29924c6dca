package io.hyperverbs.lab.run.bench;

/**
 * A verb at a size on a path, over all samples of the rounds kept.
 *
 * @param rounds kept, all in one hop state
 * @param spread of the rounds' medians, in microseconds
 * @param hop the state of those rounds
 */
public record Row(Cell cell, MeasuredPath path, Percentiles times, int rounds, double spread, HopState hop) {}
