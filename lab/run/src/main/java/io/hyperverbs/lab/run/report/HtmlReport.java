package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.bench.Row;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The page of a benchmark. */
final class HtmlReport {
    private final BenchResult result;
    private final List<String> sentences;
    private final Origin origin;
    private final StringBuilder html = new StringBuilder();

    HtmlReport(BenchResult result, List<String> sentences, Origin origin) {
        this.result = result;
        this.sentences = sentences;
        this.origin = origin;
    }

    String render() {
        html.append("<h1>Native, bypass and forwarded verbs</h1>\n<p class=\"small\">")
                .append(HtmlPage.escape(origin.text()))
                .append("</p>\n");
        sentences.forEach(
                line -> html.append("<p>").append(HtmlPage.escape(line)).append("</p>\n"));
        headline();
        plots();
        allRows();
        environment();
        return HtmlPage.of("Hyperverbs benchmark", html.toString());
    }

    private void headline() {
        html.append("<h2>Headline</h2>\n<div class=\"wide\"><table><thead><tr>");
        cells("th", "verb", "bytes", "time", "native p50 (p99)", "bypass p50 (p99)");
        cells("th", "forwarded p50 (p99)", "unary p50 (p99)", "floor p50 (p99)");
        cells("th", "bypass / native", "forwarded / bypass", "bypass / floor");
        html.append("</tr></thead><tbody>\n");
        for (Cell cell : result.cells()) {
            html.append("<tr>");
            cells("td", cell.verb().word(), cell.sizeBytes() + "", cell.verb().kind());
            for (MeasuredPath path : MeasuredPath.values()) {
                cells("td", result.row(cell, path).map(HtmlReport::times).orElse("-"));
            }
            cells("td", ratio(cell, MeasuredPath.BYPASS), ratio(cell, MeasuredPath.FORWARDED));
            cells("td", result.overFloor(cell).map(Headline::ratio).orElse("-"));
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div>\n<p class=\"small\">Times in μs.</p>\n");
    }

    private static String times(Row row) {
        return Headline.us(row.times().median())
                + " ("
                + Headline.us(row.times().percentile(99))
                + ")";
    }

    private String ratio(Cell cell, MeasuredPath path) {
        return result.ratio(cell, path).map(Headline::ratio).orElse("-");
    }

    private void plots() {
        html.append("<h2>Latency distributions</h2>\n<p class=\"key\">");
        for (MeasuredPath path : MeasuredPath.values()) {
            html.append("<span><i style=\"background:")
                    .append(LatencyPlot.color(path))
                    .append("\"></i>")
                    .append(path.word())
                    .append("</span>");
        }
        html.append("</p>\n<div class=\"plots\">\n");
        for (Cell cell : result.cells()) {
            Map<MeasuredPath, Percentiles> curves = new EnumMap<>(MeasuredPath.class);
            for (MeasuredPath path : MeasuredPath.values()) {
                result.row(cell, path).ifPresent(row -> curves.put(path, row.times()));
            }
            String title = cell.verb().word() + ", " + cell.sizeBytes() + " B, "
                    + cell.verb().kind();
            html.append("<div>").append(new LatencyPlot(title, curves).svg()).append("</div>\n");
        }
        html.append("</div>\n");
    }

    private void allRows() {
        html.append("<h2>All rows</h2>\n<div class=\"wide\"><table><thead><tr>");
        cells("th", "verb", "bytes", "path", "min", "p50", "&plusmn;", "p99", "p99.9", "p99.99");
        cells("th", "max", "mean", "stdev", "rounds", "samples", "hop");
        html.append("</tr></thead><tbody>\n");
        for (Row row : result.rows()) {
            Percentiles times = row.times();
            html.append("<tr>");
            cells(
                    "td",
                    row.cell().verb().word(),
                    row.cell().sizeBytes() + "",
                    row.path().word());
            cells("td", Headline.us(times.min()), Headline.us(times.median()));
            cells("td", Headline.us(row.spread()), Headline.us(times.percentile(99)));
            cells("td", Headline.us(times.percentile(99.9)));
            cells("td", Headline.us(times.percentile(99.99)), Headline.us(times.max()));
            cells("td", Headline.us(times.mean()), Headline.us(times.deviation()));
            cells("td", row.rounds() + "", times.count() + "", row.hop().word());
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div>\n<p class=\"small\">Statistics from all samples; none")
                .append(" is left out as an outlier.</p>\n");
    }

    private void environment() {
        html.append("<h2>Environment</h2>\n<table><tbody>\n");
        result.environment().json().properties().forEach(entry -> {
            html.append("<tr>");
            cells("td", entry.getKey(), HtmlPage.escape(entry.getValue().asString()));
            html.append("</tr>\n");
        });
        html.append("</tbody></table>\n");
    }

    private void cells(String tag, String... texts) {
        for (String text : texts) {
            html.append('<').append(tag).append('>').append(text);
            html.append("</").append(tag).append('>');
        }
    }
}
