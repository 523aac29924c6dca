package io.hyperverbs.lab.run.bench;

/**
 * How a path compares to another, by the medians of the same round.
 *
 * @param value median over the rounds
 * @param spread over the rounds
 * @param standing whether it is a result
 */
public record Ratio(
        Cell cell, MeasuredPath path, MeasuredPath over, double value, double spread, int rounds, Standing standing) {
    public boolean isResult() {
        return standing == Standing.RESULT;
    }

    /** Such as {@code bypass_over_native}. */
    public String key() {
        return (path.word() + "_over_" + over.word()).replace('-', '_');
    }
}
