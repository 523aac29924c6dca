package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.Ratio;
import io.hyperverbs.lab.run.bench.RoundGroup;
import io.hyperverbs.lab.run.bench.Standing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What disturbed rounds, and in what rounds a ratio that is unsteady differs. */
public final class Explanation {
    private Explanation() {}

    /** A line for each round of a verb that something is known of; one that says so if there is none. */
    public static List<String> of(BenchResult result) {
        // The cells of a verb share a round, and what happened meanwhile.
        Set<String> lines = new LinkedHashSet<>();
        for (RoundGroup group : result.groups()) {
            String reason = reason(group, result.hop(group.cell()));
            if (!reason.isEmpty()) {
                lines.add("Round " + (group.round() + 1) + ", "
                        + group.cell().verb().word() + ": " + reason + ".");
            }
        }
        for (Ratio ratio : result.ratios()) {
            if (ratio.standing() == Standing.UNSTEADY) {
                lines.add(byRound(result, ratio));
            }
        }
        return lines.isEmpty() ? List.of("Nothing disturbed the rounds.") : new ArrayList<>(lines);
    }

    private static String reason(RoundGroup group, HopState kept) {
        if (group.isCrowded()) {
            return String.format(Locale.ROOT, "other work used %.1f cores", group.otherCores());
        }
        return switch (group.hop()) {
            case MIXED -> "the host moved our cores meanwhile";
            case SHARED -> "other work kept both ends of the hop probe on one core";
            case NEAR, FAR ->
                group.hop() == kept ? "" : "the cores were " + group.hop().word() + ", in most rounds " + kept.word();
        };
    }

    private static String byRound(BenchResult result, Ratio ratio) {
        String values = result.byRound(ratio).stream()
                .map(value -> String.format(Locale.ROOT, "%.2f", value))
                .collect(Collectors.joining(" "));
        return ratio.cell().verb().word() + " " + ratio.cell().sizeBytes() + " B, "
                + ratio.path().word() + "/" + ratio.over().word() + " by round: " + values + ".";
    }
}
