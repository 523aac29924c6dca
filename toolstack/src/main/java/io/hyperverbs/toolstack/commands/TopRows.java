package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.load.DomainLoad;
import io.hyperverbs.launcher.load.DomainLoad.OnHca;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.output.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables of {@code hv top}. */
final class TopRows {
    private static final double MIB = 1 << 20;

    private final boolean topologies;
    private final boolean times;
    private final String time;
    private final Table table;

    /**
     * An empty one.
     *
     * @param topologies with a column for the topology
     * @param seconds that its rates are of
     */
    TopRows(Format format, boolean topologies, Instant now, double seconds) {
        this.topologies = topologies;
        this.times = format == Format.CSV;
        this.time = Times.iso(now);
        List<String> columns = new ArrayList<>();
        if (times) {
            columns.add("TIME");
        }
        if (topologies) {
            columns.add("TOPOLOGY");
        }
        columns.addAll(List.of(
                "NAME", "STATE", "CPU(%)", "QPS", "CQS", "MRS", "POST/s", "CQE/s", "MiB/s", "FWD/s", "EVT/s", "ERR"));
        table = new Table("hv.top/1", "domains", columns.toArray(String[]::new))
                .with("time", time)
                .with("seconds", seconds)
                .dropFirst("MRS", "CQS", "QPS", "EVT/s", "STATE");
    }

    void add(String topology, DomainLoad load) {
        List<@Nullable Object> row = new ArrayList<>();
        if (times) {
            row.add(time);
        }
        if (topologies) {
            row.add(topology);
        }
        row.addAll(Arrays.<@Nullable Object>asList(
                load.name(),
                StateWords.state(load.state()),
                load.cpuPercent() == null ? null : rounded(load.cpuPercent())));
        OnHca onHca = load.onHca();
        row.addAll(
                onHca == null
                        ? Arrays.<@Nullable Object>asList(null, null, null, null, null, null, null, null, null)
                        : Arrays.<@Nullable Object>asList(
                                onHca.queuePairs(),
                                onHca.completionQueues(),
                                onHca.regions(),
                                rounded(onHca.wqes()),
                                rounded(onHca.cqes()),
                                rounded(onHca.bytes() / MIB),
                                onHca.forwarded() == null ? null : rounded(onHca.forwarded()),
                                rounded(onHca.events()),
                                onHca.errors()));
        table.row(row.toArray());
    }

    /** No more digits than an interval is exact to. */
    private static double rounded(double rate) {
        return Math.round(rate * 10) / 10.0;
    }

    Table table() {
        return table;
    }
}
