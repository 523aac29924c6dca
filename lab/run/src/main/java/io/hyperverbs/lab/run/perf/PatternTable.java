package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.bench.perf.TimeCounts;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.launcher.output.Table;
import java.util.List;

/** What {@code hv bench bw --pattern} and {@code lat --pattern} print: a row for each pair, and one of all together. */
public final class PatternTable {
    private static final double MIB = 1 << 20;
    private static final String ALL = "all";

    private PatternTable() {}

    /** {@code guests}: how many there are on each path. */
    public static Table of(
            PerfPlan plan, TrafficPattern pattern, int guests, List<PatternRow> rows, Environment environment) {
        Table table = plan.latency() ? latencies(rows) : rates(rows);
        return table.with("pattern", pattern.name())
                .with("guests", guests)
                .with("seconds", plan.seconds())
                .with("pollers", pattern.pollers(guests, plan.receiversPoll()))
                .with("cores", environment.cores())
                .with("commit", environment.commit())
                .with("verb", plan.verb().word())
                .dropFirst("OTHER_CORES", "HOP_STATE");
    }

    private static Table rates(List<PatternRow> rows) {
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
                "OTHER_CORES");
        for (PatternRow row : rows) {
            for (PatternRow.PairRate pair : row.pairs()) {
                addRate(table, row, pair.name(), pair.messages(), pair.perSecond());
            }
            addRate(table, row, ALL, row.messages(), row.perSecond());
        }
        return table;
    }

    private static void addRate(Table table, PatternRow row, String pair, long messages, double perSecond) {
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

    private static Table latencies(List<PatternRow> rows) {
        Table table = new Table(
                "hv.lat-pattern/1",
                "rows",
                "BYTES",
                "PATH",
                "PAIR",
                "MESSAGES",
                "T_MIN_US",
                "T_MAX_US",
                "T_TYPICAL_US",
                "T_AVG_US",
                "T_STDEV_US",
                "P99_US",
                "P99_9_US",
                "HOP_STATE",
                "OTHER_CORES");
        for (PatternRow row : rows) {
            for (PatternRow.PairRate pair : row.pairs()) {
                if (pair.times() != null) {
                    addTimes(table, row, pair.name(), pair.times());
                }
            }
            addTimes(table, row, ALL, row.times());
        }
        return table;
    }

    private static void addTimes(Table table, PatternRow row, String pair, TimeCounts times) {
        table.row(
                row.sizeBytes(),
                row.path().word(),
                pair,
                times.count(),
                times.least(),
                times.most(),
                times.quantile(0.5),
                times.mean(),
                times.deviation(),
                times.quantile(0.99),
                times.quantile(0.999),
                row.hop().word(),
                row.otherCores());
    }
}
