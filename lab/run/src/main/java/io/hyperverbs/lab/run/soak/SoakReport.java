package io.hyperverbs.lab.run.soak;

import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.launcher.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What became of a soak, for people and for programs. */
public final class SoakReport {
    private static final double MIB = 1 << 20;

    private final SoakPlan plan;
    private final SoakResult result;

    public SoakReport(SoakPlan plan, SoakResult result) {
        this.plan = plan;
        this.result = result;
    }

    /** As of its result. */
    public Verdict verdict() {
        return result.verdict();
    }

    /** A row for one fault. */
    public static Table row(FaultResult one) {
        return new Table("hv.soak-fault/1", "faults", "NUMBER", "AT_MS", "FAULT", "TOOK_MS", "VERDICT", "OBSERVED")
                .row(
                        one.number(),
                        one.atMillis(),
                        one.fault(),
                        one.tookMillis(),
                        one.verdict().word(),
                        one.observed());
    }

    /** A row for each kind of fault; in JSON with what was held and carried. */
    public Table table() {
        Table table = new Table("hv.soak/1", "faults", "FAULT", "TIMES", "HARMED", "TOOK_MS", "MOST_MS");
        Map<String, List<FaultResult>> kinds = new LinkedHashMap<>();
        result.faults()
                .forEach(one -> kinds.computeIfAbsent(one.fault(), _ -> new ArrayList<>())
                        .add(one));
        kinds.forEach((fault, all) -> {
            Percentiles took = Percentiles.of(
                    all.stream().map(one -> (double) one.tookMillis()).toList());
            table.row(
                    fault,
                    all.size(),
                    all.stream()
                            .filter(one -> one.verdict() != Verdict.CONTAINED)
                            .count(),
                    Math.round(took.median()),
                    Math.round(took.max()));
        });
        table.with("seed", plan.seed())
                .with("verdict", result.verdict().word())
                .with("seconds", plan.length().toSeconds())
                .with("peak_per_second", result.peakPerSecond())
                .with("asked_per_second", result.askedPerSecond())
                .with("had_per_second", result.hadPerSecond());
        for (int i = 0; i < result.before().size(); i++) {
            Holding after = result.after().get(i);
            String prefix = after.process().replace(' ', '_').toLowerCase(Locale.ROOT);
            held(table, prefix + "_before_", result.before().get(i));
            held(table, prefix + "_after_", after);
        }
        return table;
    }

    private static void held(Table table, String prefix, Holding held) {
        table.with(prefix + "heap_bytes", held.heapBytes()).with(prefix + "threads", held.threadCount());
        held.descriptors().ifPresent(count -> table.with(prefix + "descriptors", count));
    }

    /** What the numbers mean. */
    public List<String> sentences() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "Load: %d verified rounds a second, %.0f %% of %d at full speed; asked"
                        + " for were %d %%. %d s, a fault every %.1f s, seed %d.",
                result.hadPerSecond(),
                100.0 * result.hadPerSecond() / result.peakPerSecond(),
                result.peakPerSecond(),
                plan.loadPercent(),
                plan.length().toSeconds(),
                plan.every().toMillis() / 1e3,
                plan.seed()));
        for (int i = 0; i < result.before().size(); i++) {
            Holding before = result.before().get(i);
            Holding after = result.after().get(i);
            lines.add(String.format(
                    Locale.ROOT,
                    "%s: live objects %.2f to %.2f MiB (%+.1f %%), threads %d to %d," + " descriptors %s.",
                    after.process(),
                    before.heapBytes() / MIB,
                    after.heapBytes() / MIB,
                    100 * after.heapChange(before),
                    before.threadCount(),
                    after.threadCount(),
                    after.descriptors().isPresent()
                            ? before.descriptors().orElse(0)
                                    + " to "
                                    + after.descriptors().getAsLong()
                            : "not counted, as only root may"));
        }
        result.changed().forEach(line -> lines.add("Not as before: " + line + "."));
        return lines;
    }

    /** The same for another report: before it how many faults there were, and which harmed. */
    public List<String> summary() {
        List<String> lines = new ArrayList<>();
        List<FaultResult> harmed = result.faults().stream()
                .filter(one -> one.verdict() != Verdict.CONTAINED)
                .toList();
        lines.add(result.faults().size() + " faults, of which not contained " + harmed.size());
        harmed.forEach(one -> lines.add(one.fault() + ", " + one.verdict().word() + ": " + one.observed()));
        lines.addAll(sentences());
        return lines;
    }
}
