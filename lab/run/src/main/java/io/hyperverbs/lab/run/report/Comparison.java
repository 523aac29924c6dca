package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.Standing;
import io.hyperverbs.launcher.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An old result beside a new one, row by row. Rows are compared if both are results and of one hop state; of others it is
 * said why not. Immutable.
 */
public final class Comparison {
    /** @param word as in the table, or why it was not compared */
    private record Verdict(
            BenchFile.Key key,
            BenchFile.@Nullable Line before,
            BenchFile.@Nullable Line now,
            @Nullable Double ratio,
            @Nullable Double spread,
            String word) {}

    private static final String SLOWER = "slower";
    private static final String FASTER = "faster";
    private static final String SAME = "same";

    private final double threshold;
    private final List<Verdict> verdicts = new ArrayList<>();
    private final BenchFile before;
    private final BenchFile now;

    /** @param threshold part of the old median by which a new one may be above it, such as 0.1 */
    public Comparison(BenchFile before, BenchFile now, double threshold) {
        this.before = before;
        this.now = now;
        this.threshold = threshold;
        Set<BenchFile.Key> keys = new LinkedHashSet<>(before.lines().keySet());
        keys.addAll(now.lines().keySet());
        keys.forEach(key ->
                verdicts.add(verdict(key, before.lines().get(key), now.lines().get(key))));
    }

    private Verdict verdict(BenchFile.Key key, BenchFile.@Nullable Line then, BenchFile.@Nullable Line here) {
        if (then == null || here == null) {
            return new Verdict(key, then, here, null, null, then == null ? "only new" : "only old");
        }
        if (then.standing() != Standing.RESULT || here.standing() != Standing.RESULT) {
            boolean isOld = then.standing() != Standing.RESULT;
            String why = isOld
                    ? "old " + then.standing().word()
                    : "new " + here.standing().word();
            return new Verdict(key, then, here, null, null, why);
        }
        if (then.hop() != here.hop()) {
            String hops = "hop " + then.hop().word() + ", new " + here.hop().word();
            return new Verdict(key, then, here, null, null, hops);
        }
        double ratio = here.median() / then.median();
        boolean hasNone = then.spread() == 0 && here.spread() == 0;
        double spread = ratio * Math.hypot(then.spread() / then.median(), here.spread() / here.median());
        String word = ratio > 1 + threshold ? SLOWER : ratio < 1 / (1 + threshold) ? FASTER : SAME;
        return new Verdict(key, then, here, ratio, hasNone ? null : (Double) spread, word);
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
                    one.before == null ? null : (Double) one.before.median(),
                    one.now == null ? null : (Double) one.now.median(),
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
        if (before.computer().equals(now.computer())) {
            lines.add("Both on " + now.computer() + ".");
        } else {
            lines.add("Old on " + before.computer() + "; new on " + now.computer() + ".");
        }
        return lines;
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
