package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.bench.perf.TimeCounts;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.launcher.output.Table;
import java.util.ArrayList;
import java.util.List;

/** What {@code hv bench bw --pattern} and {@code lat --pattern} print: a row for each pair, and one of all together. */
public final class PatternTable {
    private static final double MIB = 1 << 20;

    private PatternTable() {}

    /** {@code guests}: how many there are on each path. */
    public static Table of(
            PerfPlan plan, TrafficPattern pattern, int guests, List<PatternRow> rows, Environment environment) {
        Table table = plan.latency() ? latencies() : rates();
        for (PatternRow row : rows) {
            PatternRow.PairRate all = row.all();
            row.pairs().forEach(pair -> add(table, row, pair, all));
            add(table, row, all, all);
        }
        return table.with("pattern", pattern.name())
                .with("guests", guests)
                .with("seconds", plan.seconds())
                .with("pollers", pattern.pollers(guests, plan.receiversPoll()))
                .with("cores", environment.cores())
                .with("commit", environment.commit())
                .with("verb", plan.verb().word())
                .dropFirst("OTHER_CORES", "HOP_STATE");
    }

    private static Table rates() {
        return new Table(
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
    }

    private static Table latencies() {
        return new Table(
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
    }

    private static void add(Table table, PatternRow row, PatternRow.PairRate pair, PatternRow.PairRate all) {
        List<Object> cells = new ArrayList<>(List.of(row.sizeBytes(), row.path().word(), pair.name(), pair.messages()));
        TimeCounts times = pair.times();
        if (times == null) {
            cells.add(pair.perSecond() * row.sizeBytes() / MIB);
            cells.add(Math.round(pair.perSecond()));
            cells.add(pair.perSecond() / all.perSecond());
        } else {
            cells.addAll(List.of(times.least(), times.most(), times.quantile(0.5), times.mean(), times.deviation()));
            cells.addAll(List.of(times.quantile(0.99), times.quantile(0.999)));
        }
        cells.addAll(List.of(row.hop().word(), row.otherCores()));
        table.row(cells.toArray());
    }
}
