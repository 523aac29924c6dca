package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.bench.Standing;
import io.hyperverbs.launcher.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Old results beside new ones, row by row: one of each, or several pairs that were measured in turn. Rows are compared if
 * both are results and of one hop state; of others it is said why not. Immutable.
 */
public final class Comparison {
    /** An old run and the new one that was measured beside it. */
    public record Pair(BenchFile before, BenchFile now) {}

    /** @param word as in the table, or why it was not compared */
    private record Verdict(
            BenchFile.Key key,
            @Nullable Double before,
            @Nullable Double now,
            @Nullable Double ratio,
            @Nullable Double spread,
            String word) {}

    private static final String SLOWER = "slower";
    private static final String FASTER = "faster";
    private static final String SAME = "same";

    private final double threshold;
    private final List<Verdict> verdicts = new ArrayList<>();
    private final List<Pair> pairs;

    /** @param threshold part of the old median by which a new one may be above it, such as 0.1 */
    public Comparison(BenchFile before, BenchFile now, double threshold) {
        this(List.of(new Pair(before, now)), threshold);
    }

    /** Of several pairs, the ratio of a row is the median of theirs. */
    public Comparison(List<Pair> pairs, double threshold) {
        this.pairs = List.copyOf(pairs);
        this.threshold = threshold;
        Set<BenchFile.Key> keys = new LinkedHashSet<>();
        pairs.forEach(pair -> keys.addAll(pair.before().lines().keySet()));
        pairs.forEach(pair -> keys.addAll(pair.now().lines().keySet()));
        for (BenchFile.Key key : keys) {
            List<Verdict> each = pairs.stream().map(pair -> verdict(key, pair)).toList();
            verdicts.add(pairs.size() == 1 ? each.getFirst() : together(key, each));
        }
    }

    private Verdict verdict(BenchFile.Key key, Pair pair) {
        BenchFile.Line then = pair.before().lines().get(key);
        BenchFile.Line here = pair.now().lines().get(key);
        if (then == null || here == null) {
            return new Verdict(key, median(then), median(here), null, null, then == null ? "only new" : "only old");
        }
        if (then.standing() != Standing.RESULT || here.standing() != Standing.RESULT) {
            boolean isOld = then.standing() != Standing.RESULT;
            String why = isOld
                    ? "old " + then.standing().word()
                    : "new " + here.standing().word();
            return new Verdict(key, median(then), median(here), null, null, why);
        }
        if (then.hop() != here.hop()) {
            String hops = "hop " + then.hop().word() + ", new " + here.hop().word();
            return new Verdict(key, median(then), median(here), null, null, hops);
        }
        double ratio = here.median() / then.median();
        boolean hasNone = then.spread() == 0 && here.spread() == 0;
        double spread = ratio * Math.hypot(then.spread() / then.median(), here.spread() / here.median());
        return new Verdict(key, then.median(), here.median(), ratio, hasNone ? null : (Double) spread, word(ratio));
    }

    private static @Nullable Double median(BenchFile.@Nullable Line line) {
        return line == null ? null : (Double) line.median();
    }

    private String word(double ratio) {
        return ratio > 1 + threshold ? SLOWER : ratio < 1 / (1 + threshold) ? FASTER : SAME;
    }

    // The spread is that of the pairs' ratios: what moves both of a pair is none of it.
    private Verdict together(BenchFile.Key key, List<Verdict> each) {
        List<Verdict> compared = each.stream().filter(one -> one.ratio != null).toList();
        if (compared.isEmpty()) {
            Verdict first = each.getFirst();
            return new Verdict(key, first.before, first.now, null, null, "no pair: " + first.word);
        }
        Percentiles ratios = over(compared, Verdict::ratio);
        double before = over(compared, Verdict::before).median();
        double now = over(compared, Verdict::now).median();
        Standing standing = Standing.of(true, compared.size(), ratios.median(), ratios.spread());
        return standing == Standing.RESULT
                ? new Verdict(key, before, now, ratios.median(), ratios.spread(), word(ratios.median()))
                : new Verdict(
                        key,
                        before,
                        now,
                        null,
                        null,
                        standing == Standing.FEW_ROUNDS ? "too few pairs" : standing.word());
    }

    private static Percentiles over(List<Verdict> verdicts, Function<Verdict, @Nullable Double> figure) {
        List<Double> values = new ArrayList<>();
        for (Verdict one : verdicts) {
            Double value = figure.apply(one);
            if (value != null) {
                values.add(value);
            }
        }
        return Percentiles.of(values);
    }

    /** Medians in microseconds; their ratio with its spread, from those of both over the rounds. */
    public Table table() {
        Table table = new Table(
                        "hv.bench-compare/1",
                        "rows",
                        "VERB",
                        "BYTES",
                        "PATH",
                        "OLD_US",
                        "NEW_US",
                        "NEW/OLD",
                        "SPREAD",
                        "VERDICT")
                .with("threshold", threshold);
        for (Verdict one : verdicts) {
            table.row(
                    one.key.verb(),
                    one.key.sizeBytes(),
                    one.key.path(),
                    one.before == null ? null : (Double) BenchJson.rounded(one.before),
                    one.now == null ? null : (Double) BenchJson.rounded(one.now),
                    one.ratio == null ? null : (Double) BenchJson.rounded(one.ratio),
                    one.spread == null ? null : (Double) BenchJson.rounded(one.spread),
                    one.word);
        }
        return table;
    }

    /** What it says, and on which computers. */
    public List<String> sentences() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%d of %d rows compared: %d slower and %d faster by more than %.0f %%.",
                compared(),
                verdicts.size(),
                count(SLOWER),
                count(FASTER),
                threshold * 100));
        if (pairs.size() > 1) {
            lines.add("Medians of " + pairs.size() + " pairs of runs.");
        }
        String before = computers(Pair::before);
        String now = computers(Pair::now);
        lines.add(before.equals(now) ? "Both on " + now + "." : "Old on " + before + "; new on " + now + ".");
        return lines;
    }

    private String computers(Function<Pair, BenchFile> side) {
        return pairs.stream()
                .map(pair -> side.apply(pair).computer())
                .distinct()
                .collect(Collectors.joining(" and "));
    }

    private long count(String word) {
        return verdicts.stream().filter(one -> one.word.equals(word)).count();
    }

    /** How many rows could be compared. */
    public long compared() {
        return verdicts.stream().filter(one -> one.ratio != null).count();
    }

    /** Whether a row is slower by more than the threshold. */
    public boolean isSlower() {
        return count(SLOWER) > 0;
    }
}
