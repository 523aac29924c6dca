package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.report.BenchJson;
import io.hyperverbs.launcher.output.Table;
import java.util.List;
import java.util.Optional;

/** The rows of a figure for programs: CSV, and objects in JSON. */
final class FigureTable {
    private static final double P99 = 99;

    private FigureTable() {}

    /** A line for each cell and series of these figures; numbers of four decimals. */
    static Table rows(List<FigureData> figures) {
        Table table = new Table(
                "hv.suite/1",
                "rows",
                "figure",
                "what",
                "x",
                "series",
                "unit",
                "value",
                "spread",
                "p99",
                "samples",
                "rounds",
                "hop_state",
                "standing",
                "over",
                "ratio",
                "ratio_spread",
                "ratio_standing");
        figures.forEach(figure -> add(table, figure));
        return table;
    }

    private static void add(Table table, FigureData figure) {
        for (FigureRow row : figure.rows()) {
            Percentiles times = row.times();
            Optional<FigureRatio> ratio =
                    figure.ratio(row.cell(), row.series(), figure.info().baseline());
            table.row(
                    figure.info().name(),
                    row.cell().what(),
                    figure.info().hasAxis() ? row.cell().x() : null,
                    row.series(),
                    figure.info().unit(),
                    BenchJson.rounded(row.value()),
                    BenchJson.rounded(row.spread()),
                    times == null ? null : BenchJson.rounded(times.percentile(P99)),
                    times == null ? null : times.count(),
                    row.byRound().size(),
                    row.hop().word(),
                    row.standing().word(),
                    ratio.map(FigureRatio::over).orElse(null),
                    ratio.map(one -> BenchJson.rounded(one.value())).orElse(null),
                    ratio.map(one -> BenchJson.rounded(one.spread())).orElse(null),
                    ratio.map(one -> one.standing().word()).orElse(null));
        }
    }
}
