package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.Ratio;
import io.hyperverbs.lab.run.bench.RoundGroup;
import io.hyperverbs.lab.run.bench.Row;
import io.hyperverbs.launcher.output.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The headline table: a row for each verb and size, and the sentences that go with it. */
public final class Headline {
    private static final String[] COLUMNS = {
        "VERB",
        "BYTES",
        "TIME",
        "NATIVE p50/p99",
        "BYPASS p50/p99",
        "FORWARDED p50/p99",
        "UNARY p50/p99",
        "FLOOR p50/p99",
        "BYPASS/NATIVE",
        "FORWARDED/BYPASS",
        "BYPASS/FLOOR",
        "ROUNDS"
    };

    private Headline() {}

    /** The table; times in microseconds. */
    public static Table table(BenchResult result) {
        Table table = new Table("hv.bench/1", "rows", COLUMNS)
                .dropFirst("ROUNDS", "UNARY p50/p99", "FLOOR p50/p99", "TIME", "FORWARDED p50/p99", "NATIVE p50/p99");
        for (Cell cell : result.cells()) {
            table.row(
                    cell.verb().word(),
                    cell.sizeBytes(),
                    cell.verb().kind(),
                    times(result, cell, MeasuredPath.NATIVE),
                    times(result, cell, MeasuredPath.BYPASS),
                    times(result, cell, MeasuredPath.FORWARDED),
                    times(result, cell, MeasuredPath.FORWARDED_UNARY),
                    times(result, cell, MeasuredPath.FLOOR),
                    ratio(result, cell, MeasuredPath.BYPASS),
                    ratio(result, cell, MeasuredPath.FORWARDED),
                    result.overFloor(cell).map(Headline::ratio).orElse(null),
                    rounds(result, cell));
        }
        return table;
    }

    /** One line for each row, for CSV files and {@code --format csv}. */
    public static Table rows(BenchResult result) {
        Table table = new Table(
                "hv.bench/1",
                "rows",
                "verb",
                "size",
                "path",
                "kind",
                "unit",
                "p50",
                "p99",
                "p999",
                "p9999",
                "min",
                "max",
                "mean",
                "stdev",
                "p50_spread",
                "rounds",
                "iterations",
                "hop_state",
                "pollers");
        for (Row row : result.rows()) {
            table.row(
                    row.cell().verb().word(),
                    row.cell().sizeBytes(),
                    row.path().word(),
                    row.cell().verb().kind(),
                    "us",
                    BenchJson.rounded(row.times().median()),
                    BenchJson.rounded(row.times().percentile(99)),
                    BenchJson.rounded(row.times().percentile(99.9)),
                    BenchJson.rounded(row.times().percentile(99.99)),
                    BenchJson.rounded(row.times().min()),
                    BenchJson.rounded(row.times().max()),
                    BenchJson.rounded(row.times().mean()),
                    BenchJson.rounded(row.times().deviation()),
                    BenchJson.rounded(row.spread()),
                    row.rounds(),
                    row.times().count(),
                    row.hop().word(),
                    pollers(row.cell()));
        }
        return table;
    }

    /** What the numbers mean, and what has to be known to read them. */
    public static List<String> sentences(BenchResult result, String sandboxTier) {
        int cores = result.environment().cores();
        List<String> lines = new ArrayList<>();
        lines.add("Times in μs: median and 99th percentile over all samples; ratios of medians of the"
                + " same round, median ± half the quartile distance over the rounds.");
        lines.add("Read: bypass/native is the VMM's cost on the data path (1.00 means free),"
                + " forwarded/bypass what the bypass saves, bypass/floor what the HCA's work costs above the"
                + " same processes without one. Ratios are the result; the"
                + " times are this computer's.");
        boolean pingPong = result.cells().stream().anyMatch(cell -> pollers(cell) > 2);
        lines.add("Busy pollers: 2 (program, HCA engine) for one-sided verbs"
                + (pingPong ? ", 3 (two programs, HCA engine) for send" : "")
                + ", on "
                + cores
                + " cores"
                + (cores < (pingPong ? 3 : 2)
                        ? "; more pollers than cores, so "
                                + (cores < 2 ? "all rows" : "the rows of send")
                                + " measure the scheduler too"
                        : "")
                + ". Payload is not touched by the programs. One operation in flight.");
        lines.add(String.format(
                Locale.ROOT,
                "Environment: %d cores (%s), hop %s %.0f ns, halt-poll %s ns, %s, %s,"
                        + " sandbox tier %s, commit %s%s.",
                cores,
                result.environment().cpu(),
                hopState(result).word(),
                hopNanos(result),
                result.environment().haltPollNanos(),
                result.environment().jdk(),
                result.environment().kernel(),
                sandboxTier,
                result.environment().commit(),
                dropped(result)));
        lines.add(BenchAnswer.of(result));
        return lines;
    }

    private static String dropped(BenchResult result) {
        if (result.droppedGroups() == 0) {
            return "";
        }
        long crowded = result.groups().stream().filter(RoundGroup::isCrowded).count();
        return "; " + result.droppedGroups() + " of " + result.groups().size()
                + " rounds dropped because the host moved our cores"
                + (crowded == 0 ? "" : " or other work used them (" + crowded + ")");
    }

    private static @Nullable String times(BenchResult result, Cell cell, MeasuredPath path) {
        return result.row(cell, path)
                .map(row -> us(row.times().median()) + " / " + us(row.times().percentile(99)))
                .orElse(null);
    }

    private static @Nullable String ratio(BenchResult result, Cell cell, MeasuredPath path) {
        return result.ratio(cell, path).map(Headline::ratio).orElse(null);
    }

    /** Why it is none, if it is no result: it must not look like one. */
    static String ratio(Ratio ratio) {
        return ratio.isResult() ? value(ratio) : ratio.standing().word();
    }

    private static String value(Ratio ratio) {
        return String.format(
                Locale.ROOT, ratio.value() < 20 ? "%.2f ± %.2f" : "%.0f ± %.0f", ratio.value(), ratio.spread());
    }

    private static int rounds(BenchResult result, Cell cell) {
        return result.rows().stream()
                .filter(row -> row.cell().equals(cell))
                .mapToInt(Row::rounds)
                .findFirst()
                .orElse(0);
    }

    /** Three digits. */
    static String us(double value) {
        String form = value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, form, value);
    }

    /** Threads that poll while a round of that cell runs. */
    static int pollers(Cell cell) {
        return cell.verb() == BenchVerb.SEND ? 3 : 2;
    }

    /** The state that most rows were measured in. */
    static HopState hopState(BenchResult result) {
        Map<HopState, Integer> counts = new EnumMap<>(HopState.class);
        result.rows().forEach(row -> counts.merge(row.hop(), 1, Integer::sum));
        return counts.entrySet().stream()
                .max(Comparator.comparingInt(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElse(HopState.MIXED);
    }

    /** Median hop of the groups in that state. */
    static double hopNanos(BenchResult result) {
        HopState state = hopState(result);
        double[] hops = result.groups().stream()
                .filter(group -> group.hop() == state)
                .mapToDouble(RoundGroup::hopNanos)
                .sorted()
                .toArray();
        return hops.length == 0 ? Double.NaN : hops[hops.length / 2];
    }
}
