package io.hyperverbs.launcher.trace;

import io.hyperverbs.launcher.output.Table;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The verbs of a log added up: by name and way, and how many went which way. */
public final class TraceSummary {
    private record Kind(String verb, VerbWay way) {}

    private static final class Sum {
        private long calls;
        private double micros;
    }

    private final Map<Kind, Sum> sums = new HashMap<>();
    private double totalMicros;
    private long dropped;
    private long notUnderstood;

    public void add(TracedVerb verb) {
        Sum sum = sums.computeIfAbsent(new Kind(verb.verb(), verb.way()), _ -> new Sum());
        sum.calls++;
        sum.micros += verb.micros();
        totalMicros += verb.micros();
    }

    /** So many lines that the guest's driver says it did not write. */
    public void addDropped(long lines) {
        dropped += lines;
    }

    /** A line that is none of a driver's. */
    public void addNotUnderstood() {
        notUnderstood++;
    }

    /** One row for each verb and way, the longest in sum first. */
    public Table table() {
        Table table = new Table(
                        "hv.trace.summary/1", "verbs", "VERB", "CALLS", "WAY", "TOTAL(us)", "MEAN(us)", "SHARE(%)")
                .with("calls_bypass", calls(VerbWay.BYPASS))
                .with("calls_forwarded", calls(VerbWay.FORWARDED))
                .with("total_us", rounded(totalMicros))
                .with("lines_dropped", dropped)
                .with("lines_not_understood", notUnderstood);
        Comparator<Map.Entry<Kind, Sum>> longest = Comparator.comparingDouble(entry -> -entry.getValue().micros);
        sums.entrySet().stream()
                .sorted(longest.thenComparing(entry -> entry.getKey().verb())
                        .thenComparing(entry -> entry.getKey().way()))
                .forEach(entry -> addRow(table, entry.getKey(), entry.getValue()));
        return table;
    }

    private void addRow(Table table, Kind kind, Sum sum) {
        table.row(
                kind.verb(),
                sum.calls,
                kind.way().word(),
                rounded(sum.micros),
                rounded(sum.micros / sum.calls),
                totalMicros == 0 ? 0.0 : rounded(100 * sum.micros / totalMicros));
    }

    /** Two digits are what a line has, and what sums of fractions are worth. */
    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }

    private long calls(VerbWay way) {
        return sums.entrySet().stream()
                .filter(entry -> entry.getKey().way() == way)
                .mapToLong(entry -> entry.getValue().calls)
                .sum();
    }

    /** What it comes to, in sentences: one, and one more for each kind of line that is no verb. */
    public List<String> sentences() {
        long bypass = calls(VerbWay.BYPASS);
        long forwarded = calls(VerbWay.FORWARDED);
        long all = bypass + forwarded;
        String ways = all == 0
                ? "no verb was called"
                : bypass + (bypass == 1 ? " call bypasses" : " calls bypass") + " the hypervisor ("
                        + percent(bypass, all) + "), " + forwarded + (forwarded == 1 ? " is" : " are")
                        + " forwarded (" + percent(forwarded, all) + ")";
        String lost = lines(dropped) + " dropped by the guest: it logs faster than its log is written down";
        if (dropped > 0 && notUnderstood > 0) {
            return List.of(ways, lost, lines(notUnderstood) + " not understood");
        }
        if (dropped > 0) {
            return List.of(ways, lost);
        }
        return notUnderstood > 0 ? List.of(ways, lines(notUnderstood) + " not understood") : List.of(ways);
    }

    private static String lines(long count) {
        return count + (count == 1 ? " line" : " lines");
    }

    /** Without a fraction, but neither 0 for some nor 100 for not all. */
    private static String percent(long part, long all) {
        long rounded = Math.round(100.0 * part / all);
        if (rounded == 0 && part > 0) {
            return "<1 %";
        }
        return rounded == 100 && part < all ? ">99 %" : rounded + " %";
    }
}
