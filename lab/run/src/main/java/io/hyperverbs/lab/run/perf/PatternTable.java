package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.launcher.output.Table;
import java.util.List;

/** What {@code hv bench bw --pattern} prints: a row for each pair, and one of all together. */
public final class PatternTable {
    private static final double MIB = 1 << 20;

    private PatternTable() {}

    /** {@code guests}: how many there are on each path. */
    public static Table of(
            PerfPlan plan, TrafficPattern pattern, int guests, List<PatternRow> rows, Environment environment) {
        Table table = new Table(
                        "hv.bw-pattern/1",
                        "rows",
                        "BYTES",
                        "PATH",
                        "PAIR",
                        "MESSAGES",
                        "MIB_PER_S",
                        "MSG_PER_S",
                        "SHARE",
                        "HOP_STATE",
                        "OTHER_CORES")
                .with("pattern", pattern.name())
                .with("guests", guests)
                .with("seconds", plan.seconds())
                .with("pollers", pattern.pollers(guests, plan.receiversPoll()))
                .with("cores", environment.cores())
                .with("commit", environment.commit())
                .with("verb", plan.verb().word())
                .dropFirst("OTHER_CORES", "HOP_STATE");
        for (PatternRow row : rows) {
            for (PatternRow.PairRate pair : row.pairs()) {
                add(table, row, pair.name(), pair.messages(), pair.perSecond());
            }
            add(table, row, "all", row.messages(), row.perSecond());
        }
        return table;
    }

    private static void add(Table table, PatternRow row, String pair, long messages, double perSecond) {
        table.row(
                row.sizeBytes(),
                row.path().word(),
                pair,
                messages,
                perSecond * row.sizeBytes() / MIB,
                Math.round(perSecond),
                perSecond / row.perSecond(),
                row.hop().word(),
                row.otherCores());
    }
}
