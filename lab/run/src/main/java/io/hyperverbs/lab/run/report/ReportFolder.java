package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.Row;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes the files of a report: {@code bench.json}, {@code rows.csv}, {@code report.html}, and for
 * each row an HdrHistogram percentile file ({@code .hgrm}, us) and log ({@code .hlog}, ns, one line
 * for each round).
 */
public final class ReportFolder {
    private static final int DIGITS = 3;

    private ReportFolder() {}

    /** Writes into {@code folder}, which is made if need be; returns the page. */
    public static Path write(Path folder, BenchResult result, String sandboxTier, Origin origin) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve("bench.json"), Json.pretty(origin.stamp(BenchJson.of(result, sandboxTier))) + "\n");
        Files.writeString(folder.resolve("rows.csv"), Headline.rows(result).render(Format.CSV));
        for (Row row : result.rows()) {
            histograms(folder, result, row);
        }
        Path page = folder.resolve("report.html");
        Files.writeString(page, new HtmlReport(result, Headline.sentences(result, sandboxTier), origin).render());
        return page;
    }

    private static void histograms(Path folder, BenchResult result, Row row) throws IOException {
        String name = row.cell().verb().word() + "-" + row.cell().sizeBytes() + "-"
                + row.path().word();
        double divisor = row.cell().verb().kind().equals("half-rtt") ? 2 : 1;
        Histogram all = new Histogram(DIGITS);
        try (PrintStream stream = stream(folder.resolve(name + ".hlog"))) {
            HistogramLogWriter log = new HistogramLogWriter(stream);
            log.outputComment("[" + name + ", " + row.cell().verb().kind() + ", nanoseconds]");
            log.outputLogFormatVersion();
            log.outputLegend();
            for (var group : result.groups()) {
                long[] samples = group.nanos().get(row.path());
                if (samples == null || !group.cell().equals(row.cell()) || group.hop() != row.hop()) {
                    continue;
                }
                Histogram one = new Histogram(DIGITS);
                for (long nanos : samples) {
                    one.recordValue(Math.max(1, Math.round(nanos / divisor)));
                }
                one.setStartTimeStamp(group.beganEpochMillis());
                one.setEndTimeStamp(group.endedEpochMillis());
                log.outputIntervalHistogram(one);
                all.add(one);
            }
        }
        try (PrintStream stream = stream(folder.resolve(name + ".hgrm"))) {
            all.outputPercentileDistribution(stream, 1_000.0);
        }
    }

    private static PrintStream stream(Path file) throws IOException {
        return new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8);
    }
}
