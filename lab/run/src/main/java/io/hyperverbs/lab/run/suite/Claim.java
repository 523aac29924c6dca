package io.hyperverbs.lab.run.suite;

/**
 * A claim of a paper, as a ratio that a figure has.
 *
 * @param text what the paper says, in our words
 * @param section which paper, and where in it
 * @param paper its figure, in words, as far as it gives one
 * @param figure name of the figure here
 * @param what of the cells
 * @param x nearest to which a cell is taken
 * @param least of the ratio, for the claim to hold
 * @param most of the ratio
 */
public record Claim(
        String text,
        String section,
        String paper,
        String figure,
        String what,
        long x,
        String series,
        String over,
        double least,
        double most) {
    /** The bound, in words. */
    String bound() {
        if (most == Double.POSITIVE_INFINITY) {
            return "at least " + Numbers.ratio(least);
        }
        return least == 0 ? "at most " + Numbers.ratio(most) : Numbers.ratio(least) + " to " + Numbers.ratio(most);
    }
}
