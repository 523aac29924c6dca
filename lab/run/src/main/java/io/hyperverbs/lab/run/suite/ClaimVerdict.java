package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.Standing;
import java.util.List;
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
        /** Not measured, disturbed, of too few rounds, or on both sides of the bound. */
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

    /**
     * A ratio whose quartiles lie on both sides of the bound decides nothing. One that is unsteady has quartiles that
     * say little: it decides if each of its rounds lies on the same side.
     */
    static ClaimVerdict of(Claim claim, FigureRatio ratio) {
        if (ratio.standing() == Standing.UNSTEADY) {
            return ofUnsteady(claim, ratio);
        }
        if (!ratio.isResult()) {
            return new ClaimVerdict(
                    claim, ratio, Outcome.NO_RESULT, ratio.standing().word());
        }
        double low = ratio.value() - ratio.spread();
        double high = ratio.value() + ratio.spread();
        Outcome outcome = side(claim, low, high);
        String figures = Numbers.ratio(ratio) + ", bound " + claim.bound();
        return new ClaimVerdict(
                claim, ratio, outcome, outcome == Outcome.NO_RESULT ? figures + " within its spread" : figures);
    }

    private static ClaimVerdict ofUnsteady(Claim claim, FigureRatio ratio) {
        List<Double> rounds = ratio.byRound();
        double low = rounds.stream().min(Double::compare).orElseThrow();
        double high = rounds.stream().max(Double::compare).orElseThrow();
        Outcome outcome = side(claim, low, high);
        String spread = "its " + rounds.size() + " rounds spread from " + Numbers.ratio(low) + " to "
                + Numbers.ratio(high) + ", ";
        return new ClaimVerdict(
                claim,
                ratio,
                outcome,
                outcome == Outcome.NO_RESULT
                        ? ratio.standing().word() + ": " + spread + "on both sides of the bound"
                        : spread + "but all lie on this side of the bound");
    }

    /** No result where the range reaches over a bound. */
    private static Outcome side(Claim claim, double low, double high) {
        if (low >= claim.least() && high <= claim.most()) {
            return Outcome.HELD;
        }
        return high < claim.least() || low > claim.most() ? Outcome.NOT_HELD : Outcome.NO_RESULT;
    }

    /** The ratio in words, if there is one that says something. */
    String shown() {
        return ratio == null || (!ratio.isResult() && outcome == Outcome.NO_RESULT) ? "-" : Numbers.ratio(ratio);
    }

    /** What is to be said beside the outcome: why there is none, or that it comes of rounds that spread; or empty. */
    String remark() {
        boolean isPlain = outcome != Outcome.NO_RESULT && ratio != null && ratio.isResult();
        return isPlain ? "" : ": " + why;
    }
}
