package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.Ratio;
import io.hyperverbs.lab.run.bench.RoundGroup;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** What a run says, in a sentence: of one cell that has results, or that there is none. */
final class BenchAnswer {
    private static final int TYPICAL_BYTES = 64;

    /** Up to here the bypass costs nothing that two cores could show. */
    private static final double NOTHING = 1.05;

    private BenchAnswer() {}

    static String of(BenchResult result) {
        return result.cells().stream()
                .filter(cell ->
                        isResult(result, cell, MeasuredPath.BYPASS) || isResult(result, cell, MeasuredPath.FORWARDED))
                .min(Comparator.comparing(cell -> cell.sizeBytes() != TYPICAL_BYTES))
                .map(cell -> of(result, cell))
                .orElseGet(() -> none(result));
    }

    private static boolean isResult(BenchResult result, Cell cell, MeasuredPath path) {
        return result.ratio(cell, path).filter(Ratio::isResult).isPresent();
    }

    private static String of(BenchResult result, Cell cell) {
        StringBuilder text = new StringBuilder("A ");
        text.append(cell.sizeBytes())
                .append("-byte ")
                .append(cell.verb().word())
                .append(" takes");
        append(text, result, cell, MeasuredPath.NATIVE, " native,");
        append(text, result, cell, MeasuredPath.BYPASS, " bypassing the hypervisor,");
        append(text, result, cell, MeasuredPath.FORWARDED, " forwarded,");
        text.setCharAt(text.length() - 1, ':');
        text.append(" bypass");
        Optional<Ratio> cost = result.ratio(cell, MeasuredPath.BYPASS).filter(Ratio::isResult);
        cost.ifPresent(ratio -> text.append(cost(ratio)));
        result.ratio(cell, MeasuredPath.FORWARDED)
                .filter(Ratio::isResult)
                .ifPresent(ratio -> text.append(cost.isPresent() ? " and" : "")
                        .append(String.format(Locale.ROOT, " saves %.0f x", ratio.value())));
        return text.append('.').toString();
    }

    private static void append(StringBuilder text, BenchResult result, Cell cell, MeasuredPath path, String what) {
        result.row(cell, path)
                .ifPresent(row -> text.append(' ')
                        .append(Headline.us(row.times().median()))
                        .append(" μs")
                        .append(what));
    }

    private static String cost(Ratio ratio) {
        String figures = String.format(Locale.ROOT, " (%.2f ± %.2f)", ratio.value(), ratio.spread());
        return ratio.value() <= NOTHING
                ? " costs nothing" + figures
                : String.format(Locale.ROOT, " costs %.0f %%", 100 * (ratio.value() - 1)) + figures;
    }

    private static String none(BenchResult result) {
        if (result.ratios().isEmpty()) {
            return "Nothing was compared: a ratio takes two paths, such as --path native,bypass.";
        }
        return String.format(
                Locale.ROOT,
                "No ratio of this run is a result: %s; other work used %.1f cores on average. Run it again when the"
                        + " computer has nothing else to do%s.",
                reasons(result),
                otherCores(result),
                result.groups().size() < result.cells().size() * 3 ? ", with more --rounds" : "");
    }

    /** Cores that other work used in the rounds, on average. */
    static double otherCores(BenchResult result) {
        return result.groups().stream()
                .mapToDouble(RoundGroup::otherCores)
                .average()
                .orElse(0);
    }

    private static String reasons(BenchResult result) {
        return String.join(
                ", ",
                result.ratios().stream()
                        .map(ratio -> ratio.standing().word())
                        .distinct()
                        .toList());
    }
}
