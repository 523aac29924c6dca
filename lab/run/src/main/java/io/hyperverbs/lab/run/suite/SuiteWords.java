package io.hyperverbs.lab.run.suite;

import io.hyperverbs.launcher.output.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is said of a run: a line for each figure, and sentences, the answer last. */
public final class SuiteWords {
    private SuiteWords() {}

    /** A line for each figure: its cell in the middle, on all series, and their ratios to the baseline. */
    public static Table table(SuiteResult result) {
        Table table = new Table("hv.suite/1", "figures", "FIGURE", "OF", "AT", "UNIT", "VALUES", "RATIOS")
                .dropFirst("UNIT", "VALUES");
        for (FigureData figure : result.figures()) {
            FigureCell cell = typical(figure);
            table.row(
                    figure.info().name(),
                    cell.what(),
                    figure.info().hasAxis()
                            ? Numbers.axis(cell.x()) + " " + figure.info().axis()
                            : null,
                    figure.info().unit(),
                    values(figure, cell),
                    ratios(figure, cell));
        }
        return table;
    }

    /** A line for each cell and series of all figures, for programs. */
    public static Table rows(SuiteResult result) {
        return FigureTable.rows(result.figures());
    }

    /** The cell that a figure is summed up by. */
    static FigureCell typical(FigureData figure) {
        List<FigureCell> first = figure.cells().stream()
                .filter(cell -> cell.what().equals(figure.whats().getFirst()))
                .toList();
        return first.get(first.size() / 2);
    }

    private static String values(FigureData figure, FigureCell cell) {
        List<String> parts = new ArrayList<>();
        for (String series : figure.series()) {
            figure.row(cell, series).ifPresent(row -> parts.add(series + " " + Numbers.of(row.value())));
        }
        return String.join(", ", parts);
    }

    private static String ratios(FigureData figure, FigureCell cell) {
        List<String> parts = new ArrayList<>();
        for (FigureRatio ratio : ratiosOf(figure, cell)) {
            String value =
                    ratio.isResult() ? Numbers.ratio(ratio) : ratio.standing().word();
            parts.add(ratio.series() + "/" + ratio.over() + " " + value);
        }
        return String.join(", ", parts);
    }

    private static List<FigureRatio> ratiosOf(FigureData figure, FigureCell cell) {
        return figure.ratios().stream()
                .filter(ratio -> ratio.cell().equals(cell))
                .toList();
    }

    /** What the table does not say; the answer is the last one. */
    public static List<String> sentences(SuiteResult result) {
        return List.of(
                "Each figure by its middle cell: medians over the rounds; ratios by the values of the same round,"
                    + " median ± half the quartile distance. A ratio that is a word is no result. Programs and engine"
                    + " that poll are 2 to 3, the cores "
                        + result.environment().cores() + ".",
                computer(result),
                answer(result));
    }

    /** The computer, and what disturbed it. */
    static String computer(SuiteResult result) {
        int dropped = result.figures().stream().mapToInt(FigureData::dropped).sum();
        int measured = result.figures().stream().mapToInt(FigureData::measured).sum();
        return String.format(
                Locale.ROOT,
                "Environment: %d cores (%s), %s, %s, sandbox tier %s, commit %s; other work used %.1f cores on"
                        + " average, %d of %d rounds were dropped.",
                result.environment().cores(),
                result.environment().cpu(),
                result.environment().jdk(),
                result.environment().kernel(),
                result.tier(),
                result.environment().commit(),
                result.otherCores(),
                dropped,
                measured);
    }

    /** The run in a sentence. */
    static String answer(SuiteResult result) {
        String claims = String.format(
                Locale.ROOT,
                "Of %d claims of the papers, %d held, %d did not, %d are without result.",
                result.verdicts().size(),
                result.count(ClaimVerdict.Outcome.HELD),
                result.count(ClaimVerdict.Outcome.NOT_HELD),
                result.count(ClaimVerdict.Outcome.NO_RESULT));
        return result.figure("latency")
                .map(figure -> latency(figure)
                                .orElseGet(() -> String.format(
                                        Locale.ROOT,
                                        "No ratio of a write's latency is a result: other work used %.1f cores on"
                                                + " average.",
                                        figure.otherCores()))
                        + " " + claims)
                .orElse(claims);
    }

    private static Optional<String> latency(FigureData figure) {
        Optional<FigureCell> cell = figure.cells().stream()
                .filter(one -> one.what().equals("write") && one.x() >= 64)
                .findFirst();
        return cell.flatMap(one -> {
            Optional<FigureRatio> cost = figure.ratio(one, "bypass", "native").filter(FigureRatio::isResult);
            Optional<FigureRatio> saved =
                    figure.ratio(one, "forwarded", "bypass").filter(FigureRatio::isResult);
            if (cost.isEmpty() && saved.isEmpty()) {
                return Optional.empty();
            }
            List<String> parts = new ArrayList<>();
            cost.ifPresent(ratio -> parts.add(Numbers.ratio(ratio) + " times a native one"));
            saved.ifPresent(
                    ratio -> parts.add("one through the device domain " + Numbers.ratio(ratio) + " times the guest's"));
            return Optional.of("A guest's " + one.x() + "-byte write takes " + (cost.isPresent() ? "" : "less: ")
                    + String.join(", ", parts) + ".");
        });
    }
}
