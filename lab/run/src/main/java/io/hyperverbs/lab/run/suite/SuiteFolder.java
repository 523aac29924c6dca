package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.report.Origin;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * Writes the files of a run: {@code suite.html}, {@code suite.json}, a CSV file for each figure, and for each row that has
 * samples an HdrHistogram percentile file ({@code .hgrm}, us).
 */
public final class SuiteFolder {
    private static final int DIGITS = 3;
    private static final double NANOS_IN_US = 1_000;

    private SuiteFolder() {}

    /** Writes into {@code folder}, which is made if need be; returns the page. */
    public static Path write(Path folder, SuiteResult result, Origin origin) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("suite.json"), Json.pretty(origin.stamp(SuiteJson.of(result))) + "\n");
        for (FigureData figure : result.figures()) {
            Files.writeString(
                    folder.resolve(figure.info().name() + ".csv"),
                    FigureTable.rows(List.of(figure)).render(Format.CSV));
            for (FigureRow row : figure.rows()) {
                if (row.times() != null) {
                    histogram(folder, figure, row);
                }
            }
        }
        Path page = folder.resolve("suite.html");
        Files.writeString(page, new SuitePage(result, origin).render());
        return page;
    }

    private static void histogram(Path folder, FigureData figure, FigureRow row) throws IOException {
        Histogram all = new Histogram(DIGITS);
        for (long[] nanos : figure.samples(row)) {
            for (long sample : nanos) {
                all.recordValue(Math.max(1, sample));
            }
        }
        String name = String.join(
                        "-",
                        figure.info().name(),
                        row.cell().what(),
                        Long.toString(row.cell().x()),
                        row.series())
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9_]+", "-");
        try (PrintStream stream =
                new PrintStream(Files.newOutputStream(folder.resolve(name + ".hgrm")), false, StandardCharsets.UTF_8)) {
            all.outputPercentileDistribution(stream, NANOS_IN_US);
        }
    }
}
