package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.BenchPlan;

/**
 * How long figures are measured.
 *
 * @param quick fewer sizes and shorter rounds
 * @param rounds of each cell
 */
public record SuiteTerms(boolean quick, int rounds) {
    /** 11 rounds, or 5 short ones. */
    public static SuiteTerms of(boolean quick) {
        return new SuiteTerms(quick, quick ? BenchPlan.LEAST_ROUNDS : 11);
    }

    /** One of two, as the run is quick or not. */
    public <T> T pick(T whenQuick, T otherwise) {
        return quick ? whenQuick : otherwise;
    }
}
