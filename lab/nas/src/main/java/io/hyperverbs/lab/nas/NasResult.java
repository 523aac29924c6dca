package io.hyperverbs.lab.nas;

import java.util.List;

/** What came of a run: time of the timed part, and values beside those published. */
public record NasResult(long nanos, List<Check> checks) {
    public NasResult {
        checks = List.copyOf(checks);
    }

    public boolean isVerified() {
        return checks.stream().allMatch(Check::holds);
    }

    /**
     * One value beside the published one.
     *
     * @param tolerance of their difference, relative to the published value
     */
    public record Check(String name, double value, double expected, double tolerance) {
        /** A value that is no number does not hold. */
        public boolean holds() {
            return Math.abs(value - expected) <= tolerance * Math.abs(expected);
        }
    }
}
