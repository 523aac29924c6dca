package io.hyperverbs.lab.run.isolate;

import java.util.Arrays;
import java.util.List;

/**
 * The rank-sum test of Mann and Whitney: whether values of one sample are larger than those of
 * another more often than chance would have it. It asks nothing of the shape of the distributions,
 * which for times of verbs have two peaks and a long tail.
 */
final class RankSum {
    private RankSum() {}

    /**
     * Standard normal score, above 0 if the first sample's values are the larger ones. Ties count half; the variance is
     * that without ties, which makes the score of many ties too small, never too large.
     *
     * @return 0 if a sample is empty
     */
    static double score(List<Long> sample, List<Long> other) {
        if (sample.isEmpty() || other.isEmpty()) {
            return 0;
        }
        long[] sorted = other.stream().mapToLong(Long::longValue).sorted().toArray();
        double larger = 0;
        for (long value : sample) {
            int below = firstFrom(sorted, value);
            int notAbove = firstFrom(sorted, value + 1);
            larger += below + (notAbove - below) / 2.0;
        }
        double pairs = (double) sample.size() * other.size();
        return (larger - pairs / 2) / Math.sqrt(pairs * (sample.size() + other.size() + 1) / 12);
    }

    /** Index of the first that is at least {@code value}. */
    private static int firstFrom(long[] sorted, long value) {
        return (int) Arrays.stream(sorted).takeWhile(one -> one < value).count();
    }
}
