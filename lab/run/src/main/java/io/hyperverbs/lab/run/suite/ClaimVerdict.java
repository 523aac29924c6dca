package io.hyperverbs.lab.run.suite;

import org.jspecify.annotations.Nullable;

/**
 * What came of a claim.
 *
 * @param ratio null if it was not measured
 * @param why in a few words
 */
public record ClaimVerdict(Claim claim, @Nullable FigureRatio ratio, Outcome outcome, String why) {
    /** Whether a claim holds here. */
    public enum Outcome {
        HELD("held"),
        NOT_HELD("not held"),
        /** The ratio is none: not measured, disturbed, unsteady or of too few rounds. */
        NO_RESULT("no result");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /** As in tables. */
        public String word() {
            return word;
        }
    }

    static ClaimVerdict notMeasured(Claim claim) {
        return new ClaimVerdict(claim, null, Outcome.NO_RESULT, "not measured");
    }

    /** A ratio whose quartiles lie on both sides of the bound decides nothing. */
    static ClaimVerdict of(Claim claim, FigureRatio ratio) {
        if (!ratio.isResult()) {
            return new ClaimVerdict(
                    claim, ratio, Outcome.NO_RESULT, ratio.standing().word());
        }
        String figures = Numbers.ratio(ratio) + ", bound " + claim.bound();
        double low = ratio.value() - ratio.spread();
        double high = ratio.value() + ratio.spread();
        if (low >= claim.least() && high <= claim.most()) {
            return new ClaimVerdict(claim, ratio, Outcome.HELD, figures);
        }
        if (high < claim.least() || low > claim.most()) {
            return new ClaimVerdict(claim, ratio, Outcome.NOT_HELD, figures);
        }
        return new ClaimVerdict(claim, ratio, Outcome.NO_RESULT, figures + " within its spread");
    }

    /** The ratio in words, if it is one. */
    String shown() {
        return ratio == null || !ratio.isResult() ? "-" : Numbers.ratio(ratio);
    }
}
