package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.report.HtmlPage;
import io.hyperverbs.lab.run.report.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The page of a run: the answer, latency as three pictures, the claims, and each figure with its rows. */
final class SuitePage {
    private static final String STYLE = """
        :root{--native:#12805c;--bypass:#2460c8;--forwarded:#c2500a;--floor:#747a84;--other:#8a4fb0;
        --page:#f5f6f8;--card:#fff;--edge:#0000001f;--good:#12805c;--bad:#b3261e}
        @media(prefers-color-scheme:dark){:root{--native:#52cfa4;--bypass:#82aeff;--forwarded:#ff9f5c;
        --floor:#a3a9b3;--other:#cda4ee;--page:#101216;--card:#191c22;--edge:#ffffff24;--good:#52cfa4;--bad:#ff8a80}}
        body{background:var(--page);max-width:76rem}
        section{background:var(--card);border:1px solid var(--edge);border-radius:.8rem;padding:.4rem 1.2rem 1rem;
        margin:1.2rem 0}
        h1{font-size:1.7rem;line-height:1.2;margin-bottom:.2rem}section h2{margin-top:.8rem}
        .answer{font-size:1.2rem;max-width:62ch;margin:.8rem 0}
        svg .one{stroke:currentColor;stroke-width:1.1;stroke-dasharray:5 4}
        .s-native{--c:var(--native)}.s-bypass{--c:var(--bypass)}.s-forwarded{--c:var(--forwarded)}
        .s-floor{--c:var(--floor)}.s-other{--c:var(--other)}
        svg .line{stroke:var(--c);stroke-width:2.2;fill:none;stroke-linejoin:round}
        svg .s-bypass .line{stroke-dasharray:7 4}svg .line.thick{stroke-dasharray:none;stroke-width:5;opacity:.35}
        svg .bar{stroke:var(--c);stroke-width:1.4;fill:none}
        svg .dot{fill:var(--c);stroke:var(--c);stroke-width:1.6}svg .dot.hollow{fill:var(--card)}
        svg .l{font-size:11px}
        .key i{background:var(--c)}.key span{white-space:nowrap;display:inline-block}
        .held{color:var(--good);font-weight:600}.not-held{color:var(--bad);font-weight:600}.no-result{opacity:.7}
        .none{opacity:.6}
        th,td{vertical-align:top}td.text,th.text{text-align:left}
        .claims .text{min-width:6rem}.claims .text:first-child{min-width:15rem}
        details{margin-top:.6rem}summary{cursor:pointer}
        @media(max-width:40rem){body{margin:.8rem auto;padding:0 .5rem}section{padding:.2rem .7rem .8rem}
        h1{font-size:1.35rem}.answer{font-size:1.05rem}.claims .text:first-child{min-width:10rem}}
        """;

    private final SuiteResult result;
    private final Origin origin;
    private final StringBuilder html = new StringBuilder();

    SuitePage(SuiteResult result, Origin origin) {
        this.result = result;
        this.origin = origin;
    }

    String render() {
        html.append("<h1>The evaluations of Liu 2006 and Liss 2003 on Hyperverbs</h1>\n");
        paragraph("answer", SuiteWords.answer(result));
        paragraph("small", origin.text() + (result.quick() ? " (quick: too short for claims)" : ""));
        result.figures().stream().findFirst().ifPresent(this::headline);
        claims();
        result.figures().forEach(this::figure);
        html.append("<section><h2>Environment</h2>\n");
        paragraph("", SuiteWords.computer(result));
        paragraph(
                "small",
                "Not repeated: half round trips of IP (Liu 2006, Figure 17), which hv bench ip measures; SP, BT and"
                        + " class A of NAS; speed-ups over computers (Liss 2003, Table 2), for which there are too few"
                        + " cores.");
        html.append("</section>\n");
        return HtmlPage.of("Hyperverbs: the evaluations of the papers", STYLE, html.toString());
    }

    private void paragraph(String style, String text) {
        html.append(style.isEmpty() ? "<p>" : "<p class=\"" + style + "\">")
                .append(HtmlPage.escape(text))
                .append("</p>\n");
    }

    /** Three pictures of the first figure: medians, ratios, and how steady both were. */
    private void headline(FigureData figure) {
        FigureCell typical = SuiteWords.typical(figure);
        html.append("<section><h2>")
                .append(HtmlPage.escape(figure.info().title() + ": " + typical.what()))
                .append("</h2>\n");
        key(figure.series());
        html.append("<div class=\"plots\">\n");
        values(figure, typical.what());
        ratios(figure, typical.what());
        rounds(figure, typical);
        html.append("</div>\n");
        paragraph(
                "small",
                "Points are medians over the rounds, bars half the distance of the quartiles; a hollow point is no"
                        + " result. The dashed line of the ratios is 1: as "
                        + figure.info().baseline() + ".");
        html.append("</section>\n");
    }

    private void key(List<String> series) {
        html.append("<p class=\"key\">");
        for (String one : series) {
            html.append("<span class=\"")
                    .append(Plot.style(one))
                    .append("\"><i></i>")
                    .append(HtmlPage.escape(one))
                    .append("</span> ");
        }
        html.append("</p>\n");
    }

    private void plot(String svg) {
        html.append("<div>").append(svg).append("</div>\n");
    }

    private void values(FigureData figure, String what) {
        List<FigureRow> rows = figure.rows().stream()
                .filter(row -> row.cell().what().equals(what) && row.value() > 0)
                .toList();
        if (rows.stream().map(row -> row.cell().x()).distinct().count() == 1) {
            String at = figure.info().hasAxis()
                    ? " at " + Numbers.axis(rows.getFirst().cell().x()) + " "
                            + figure.info().axis()
                    : "";
            plot(new BarPlot(what + at, figure.info().unit(), rows).svg());
            return;
        }
        List<LinePlot.Line> lines = figure.series().stream()
                .map(series -> new LinePlot.Line(
                        series,
                        rows.stream()
                                .filter(row -> row.series().equals(series))
                                .map(row -> point((double) row.cell().x(), row.value(), row.spread(), row.isResult()))
                                .toList()))
                .toList();
        line(
                what + ": median by " + figure.info().axis(),
                figure.info().axis(),
                figure.info().unit(),
                true,
                false,
                lines);
    }

    private void ratios(FigureData figure, String what) {
        List<FigureRatio> ratios = figure.ratios().stream()
                .filter(ratio -> ratio.cell().what().equals(what))
                .toList();
        List<LinePlot.Line> lines = figure.series().stream()
                .map(series -> new LinePlot.Line(
                        series,
                        ratios.stream()
                                .filter(ratio -> ratio.series().equals(series))
                                .map(ratio -> point(
                                        (double) ratio.cell().x(), ratio.value(), ratio.spread(), ratio.isResult()))
                                .toList()))
                .toList();
        String over = "ratio to " + figure.info().baseline();
        line(what + ": " + over, figure.info().axis(), over, true, true, lines);
    }

    private void rounds(FigureData figure, FigureCell cell) {
        List<LinePlot.Line> lines = figure.series().stream()
                .flatMap(series -> figure.row(cell, series).stream())
                .map(row -> new LinePlot.Line(row.series(), byRound(row)))
                .toList();
        String at = figure.info().hasAxis() ? " at " + Numbers.axis(cell.x()) : "";
        line(
                cell.what() + at + ": median by round",
                "round that counts",
                figure.info().unit(),
                false,
                false,
                lines);
    }

    private static List<LinePlot.Point> byRound(FigureRow row) {
        List<LinePlot.Point> points = new ArrayList<>();
        for (double value : row.byRound()) {
            points.add(point(points.size() + 1, value, 0, row.isResult()));
        }
        return points;
    }

    private static LinePlot.Point point(double x, double y, double spread, boolean isResult) {
        return new LinePlot.Point(x, y, y - spread, y + spread, isResult);
    }

    private void line(
            String title, String xLabel, String yLabel, boolean isLogX, boolean isRatio, List<LinePlot.Line> lines) {
        List<LinePlot.Line> drawn =
                lines.stream().filter(line -> !line.points().isEmpty()).toList();
        if (!drawn.isEmpty()) {
            plot(new LinePlot(title, xLabel, yLabel, isLogX, isRatio, drawn).svg());
        }
    }

    private void claims() {
        html.append("<section><h2>Claims</h2>\n<div class=\"wide\"><table class=\"claims\"><thead><tr>");
        cells("th", "text", "claim", "verdict", "here", "bound", "paper", "ratio", "section");
        html.append("</tr></thead><tbody>\n");
        for (ClaimVerdict verdict : result.verdicts()) {
            Claim claim = verdict.claim();
            html.append("<tr>");
            cells("td", "text", claim.text());
            String word = verdict.outcome().word();
            cells("td", "text " + word.replace(' ', '-'), word + verdict.remark());
            cells("td", "text", verdict.shown(), claim.bound(), claim.paper());
            cells("td", "text", claim.series() + " / " + claim.over(), claim.section());
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div></section>\n");
    }

    private void figure(FigureData figure) {
        FigureInfo info = figure.info();
        html.append("<section id=\"").append(info.name()).append("\"><h2>");
        html.append(HtmlPage.escape(info.title())).append("</h2>\n");
        paragraph("small", info.paper() + ". " + info.says());
        key(figure.series());
        html.append("<div class=\"plots\">\n");
        for (String what : figure.whats()) {
            values(figure, what);
            if (info.hasAxis()) {
                ratios(figure, what);
            }
        }
        html.append("</div>\n");
        rows(figure);
        html.append("</section>\n");
    }

    private void rows(FigureData figure) {
        html.append("<details><summary>Rows</summary><div class=\"wide\"><table><thead><tr>");
        cells("th", null, "of", figure.info().axis(), "series", figure.info().unit(), "±", "p99", "ratio", "rounds");
        cells("th", null, "hop", "standing");
        html.append("</tr></thead><tbody>\n");
        for (FigureRow row : figure.rows()) {
            var ratio = figure.ratio(row.cell(), row.series(), figure.info().baseline());
            String shown =
                    ratio.filter(FigureRatio::isResult).map(Numbers::ratio).orElse("-");
            String standing =
                    ratio.map(FigureRatio::standing).orElse(row.standing()).word();
            html.append(row.isResult() ? "<tr>" : "<tr class=\"none\">");
            cells(
                    "td",
                    null,
                    row.cell().what(),
                    figure.info().hasAxis() ? Numbers.axis(row.cell().x()) : "");
            cells("td", null, row.series(), Numbers.of(row.value()), Numbers.of(row.spread()), p99(row), shown);
            cells("td", null, Integer.toString(row.byRound().size()), row.hop().word(), standing);
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div></details>\n");
    }

    private static String p99(FigureRow row) {
        return row.times() == null ? "-" : Numbers.of(row.times().percentile(99));
    }

    private void cells(String tag, @Nullable String style, String... texts) {
        String begin = style == null ? "<" + tag + ">" : String.format(Locale.ROOT, "<%s class=\"%s\">", tag, style);
        Stream.of(texts)
                .forEach(text -> html.append(begin)
                        .append(HtmlPage.escape(text))
                        .append("</")
                        .append(tag)
                        .append('>'));
    }
}
