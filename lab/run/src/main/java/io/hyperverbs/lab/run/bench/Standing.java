package io.hyperverbs.lab.run.bench;

/** Whether a ratio is a result; if not, why. */
public enum Standing {
    RESULT("result"),
    /** Of the rounds that were like each other too few are left. */
    FEW_ROUNDS("too few rounds"),
    /** Other work used the cores in all rounds, or the host moved them. */
    DISTURBED("disturbed"),
    /** The rounds do not agree. */
    UNSTEADY("unsteady");

    /** With fewer rounds nothing says how far they differ. */
    static final int LEAST_ROUNDS = 3;

    /** A ratio whose rounds spread further, in parts of it, says nothing. */
    static final double MOST_SPREAD = 0.25;

    private final String word;

    Standing(String word) {
        this.word = word;
    }

    /** As in tables and reports. */
    public String word() {
        return word;
    }

    /**
     * @param isGood whether nothing disturbed the rounds
     * @param spread of the ratio, in its own unit
     */
    public static Standing of(boolean isGood, int rounds, double value, double spread) {
        if (!isGood) {
            return DISTURBED;
        }
        if (rounds < LEAST_ROUNDS) {
            return FEW_ROUNDS;
        }
        return spread > MOST_SPREAD * value ? UNSTEADY : RESULT;
    }
}
