package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.Environment;
import java.util.List;
import java.util.Optional;

/**
 * A run of the suite.
 *
 * @param figures that were measured
 * @param verdicts on all claims
 * @param tier of the guests' sandboxes
 */
public record SuiteResult(
        List<FigureData> figures, List<ClaimVerdict> verdicts, Environment environment, String tier, boolean quick) {

    public static SuiteResult of(List<FigureData> figures, Environment environment, String tier, boolean quick) {
        return new SuiteResult(List.copyOf(figures), Claims.judge(figures), environment, tier, quick);
    }

    Optional<FigureData> figure(String name) {
        return figures.stream()
                .filter(figure -> figure.info().name().equals(name))
                .findFirst();
    }

    long count(ClaimVerdict.Outcome outcome) {
        return verdicts.stream().filter(verdict -> verdict.outcome() == outcome).count();
    }

    /** Cores that other work used in the rounds, on average over the figures. */
    double otherCores() {
        return figures.stream().mapToDouble(FigureData::otherCores).average().orElse(0);
    }
}
