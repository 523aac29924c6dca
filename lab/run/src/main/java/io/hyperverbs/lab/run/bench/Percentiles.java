package io.hyperverbs.lab.run.bench;

import java.util.Arrays;
import java.util.List;

/** Statistics over all samples; none is dropped. Times in microseconds. */
public final class Percentiles {
    private final double[] sorted;

    private Percentiles(double[] sorted) {
        this.sorted = sorted;
    }

    /**
     * Puts rounds together.
     *
     * @param rounds nanoseconds
     * @param divisor what each sample is divided by: 2 for half round trips
     */
    public static Percentiles ofNanos(List<long[]> rounds, double divisor) {
        double[] all =
                new double[rounds.stream().mapToInt(round -> round.length).sum()];
        if (all.length == 0) {
            throw new IllegalArgumentException("no samples");
        }
        int at = 0;
        for (long[] round : rounds) {
            for (long nanos : round) {
                all[at++] = nanos / divisor / 1_000;
            }
        }
        Arrays.sort(all);
        return new Percentiles(all);
    }

    /** Of plain numbers, such as the ratios of rounds. */
    public static Percentiles of(List<Double> values) {
        double[] all = values.stream().mapToDouble(Double::doubleValue).toArray();
        if (all.length == 0) {
            throw new IllegalArgumentException("no samples");
        }
        Arrays.sort(all);
        return new Percentiles(all);
    }

    public int count() {
        return sorted.length;
    }

    public double min() {
        return sorted[0];
    }

    public double max() {
        return sorted[sorted.length - 1];
    }

    /** Middle sample, or the mean of the two in the middle. */
    public double median() {
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /**
     * The smallest sample that at least {@code percent} per cent of all do not exceed (nearest
     * rank).
     *
     * @param percent above 0, up to 100
     */
    public double percentile(double percent) {
        // The small amount keeps 99.9 % of 1000 at rank 999, though the product is a hair more.
        int rank = (int) Math.ceil(percent / 100 * sorted.length - 1e-9);
        return sorted[Math.clamp(rank, 1, sorted.length) - 1];
    }

    public double mean() {
        return Arrays.stream(sorted).sum() / sorted.length;
    }

    /** Standard deviation of the samples. */
    public double deviation() {
        double mean = mean();
        return Math.sqrt(Arrays.stream(sorted).map(x -> (x - mean) * (x - mean)).sum() / sorted.length);
    }

    /** Half the distance of the quartiles: how far a typical sample lies from the median. */
    public double spread() {
        return (percentile(75) - percentile(25)) / 2;
    }
}
