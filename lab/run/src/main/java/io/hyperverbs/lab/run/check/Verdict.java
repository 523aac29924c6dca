package io.hyperverbs.lab.run.check;

/**
 * How a case ended on one path.
 *
 * @param reason why it failed, in one line; empty if it passed
 */
public record Verdict(boolean passed, String reason) {
    static final Verdict PASSED = new Verdict(true, "");

    static Verdict failed(String reason) {
        return new Verdict(false, reason);
    }

    /** {@code pass} or {@code FAIL}. */
    public String word() {
        return passed ? "pass" : "FAIL";
    }
}
