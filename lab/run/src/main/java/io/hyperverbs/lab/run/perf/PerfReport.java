package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.report.PerfFile;
import io.hyperverbs.launcher.output.Table;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rows as perftest prints them, with the path behind; and as JSON and CSV. */
public final class PerfReport {
    /** Each column with the blanks before it, so that together they are perftest's header. */
    private static final List<String> LATENCY = List.of(
            " #bytes",
            " #iterations",
            "    t_min[usec]",
            "    t_max[usec]",
            "  t_typical[usec]",
            "    t_avg[usec]",
            "    t_stdev[usec]",
            "   99% percentile[usec]",
            "   99.9% percentile[usec]",
            "   path");

    private static final List<String> BANDWIDTH = List.of(
            " #bytes",
            "     #iterations",
            "    BW peak[MiB/sec]",
            "    BW average[MiB/sec]",
            "   MsgRate[Mpps]",
            "   x floor",
            "   path");

    private static final double MILLION = 1e6;

    private final PerfPlan plan;
    private final List<String> columns;

    public PerfReport(PerfPlan plan) {
        this.plan = plan;
        this.columns = plan.latency()
                ? LATENCY
                : BANDWIDTH.stream()
                        .map(column -> plan.gbits() ? column.replace("MiB/sec", "Gb/sec") : column)
                        .toList();
    }

    /** The line above the rows. */
    public String header() {
        return String.join("", columns);
    }

    /** A row, each value below its column. */
    public String line(PerfRow row) {
        return aligned(
                switch (row) {
                    case LatencyRow latency ->
                        List.of(
                                Integer.toString(latency.sizeBytes()),
                                Integer.toString(latency.times().count()),
                                two(latency.times().min()),
                                two(latency.times().max()),
                                two(latency.times().median()),
                                two(latency.times().mean()),
                                two(latency.times().deviation()),
                                two(latency.times().percentile(99)),
                                two(latency.times().percentile(99.9)),
                                latency.path().word());
                    case BandwidthRow bandwidth ->
                        List.of(
                                Integer.toString(bandwidth.sizeBytes()),
                                Long.toString(bandwidth.messages()),
                                two(bandwidth.bandwidth(bandwidth.peakPerSecond(), plan.gbits())),
                                two(bandwidth.bandwidth(bandwidth.perSecond(), plan.gbits())),
                                String.format(Locale.ROOT, "%.6f", bandwidth.perSecond() / MILLION),
                                bandwidth.overFloor() == null ? "-" : two(bandwidth.overFloor()),
                                bandwidth.path().word());
                });
    }

    private String aligned(List<String> values) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            String name = columns.get(i).stripLeading();
            line.append(" ".repeat(columns.get(i).length() - name.length())).append(values.get(i));
            line.append(" ".repeat(Math.max(0, name.length() - values.get(i).length())));
        }
        return line.toString().stripTrailing();
    }

    private static String two(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** All rows for programs. */
    public Table table(List<? extends PerfRow> rows) {
        Table table = plan.latency() ? latencyTable() : bandwidthTable();
        table.with("verb", plan.verb().word())
                .with(PerfFile.OPTIONS, plan.options())
                .with("connection", plan.transport().name());
        for (PerfRow row : rows) {
            switch (row) {
                case LatencyRow latency ->
                    table.row(
                            latency.path().word(),
                            latency.sizeBytes(),
                            latency.times().count(),
                            latency.times().min(),
                            latency.times().max(),
                            latency.times().median(),
                            latency.times().mean(),
                            latency.times().deviation(),
                            latency.times().percentile(99),
                            latency.times().percentile(99.9),
                            latency.times().percentile(99.99),
                            latency.hop().word(),
                            latency.otherCores());
                case BandwidthRow bandwidth ->
                    table.row(
                            bandwidth.path().word(),
                            bandwidth.sizeBytes(),
                            bandwidth.messages(),
                            peak(bandwidth),
                            bandwidth.bandwidth(bandwidth.perSecond(), plan.gbits()),
                            bandwidth.perSecond() / MILLION,
                            bandwidth.overFloor() == null ? null : (Double) (bandwidth.floorPerSecond() / MILLION),
                            bandwidth.overFloor(),
                            bandwidth.dropped(),
                            bandwidth.hop().word(),
                            bandwidth.otherCores());
            }
        }
        return table;
    }

    private @Nullable Double peak(BandwidthRow row) {
        return row.peakPerSecond() == 0 ? null : (Double) row.bandwidth(row.peakPerSecond(), plan.gbits());
    }

    private Table latencyTable() {
        return new Table(
                        "hv.lat/1",
                        "rows",
                        "path",
                        "size",
                        "iterations",
                        "t_min",
                        "t_max",
                        "t_typical",
                        "t_avg",
                        "t_stdev",
                        "p99",
                        "p999",
                        "p9999",
                        "hop_state",
                        "other_cores")
                .with("unit", "us")
                .with("kind", plan.divisor() > 1 ? "half-rtt" : "post-to-completion");
    }

    private Table bandwidthTable() {
        return new Table(
                        "hv.bw/1",
                        "rows",
                        "path",
                        "size",
                        "iterations",
                        "bw_peak",
                        "bw_average",
                        "msg_rate",
                        "floor_msg_rate",
                        "over_floor",
                        "dropped",
                        "hop_state",
                        "other_cores")
                .with("bw_unit", plan.gbits() ? "Gb/sec" : "MiB/sec")
                .with("msg_rate_unit", "Mpps");
    }

    /** All rows and the computer that they were measured on, as one object. */
    public ObjectNode object(List<? extends PerfRow> rows, Environment environment, String sandboxTier) {
        ObjectNode object = table(rows).object();
        ObjectNode here = environment.json();
        here.put("sandbox_tier", sandboxTier).put("pollers", plan.pollers());
        object.set("environment", here);
        return object;
    }
}
