package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.report.HtmlPage;
import java.util.List;
import java.util.Locale;

/** Rows of one figure beside each other as SVG: a point on a logarithmic axis with its spread for each, and the figure. */
final class BarPlot {
    private static final int WIDTH = 460;
    private static final int LEFT = 130;
    private static final int RIGHT = 66;
    private static final int TOP = 30;
    private static final int ROW = 26;
    private static final int BOTTOM = 36;

    private final String title;
    private final String label;
    private final List<FigureRow> rows;
    private final double low;
    private final double high;

    /** @param rows at least one, values above 0 */
    BarPlot(String title, String label, List<FigureRow> rows) {
        this.title = title;
        this.label = label;
        this.rows = rows;
        this.low = rows.stream().mapToDouble(FigureRow::value).min().orElseThrow() / 2;
        this.high = rows.stream().mapToDouble(FigureRow::value).max().orElseThrow() * 2;
    }

    String svg() {
        int height = TOP + ROW * rows.size() + BOTTOM;
        StringBuilder svg = new StringBuilder();
        String name = HtmlPage.escape(title);
        svg.append(String.format(
                Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n", WIDTH, height, name));
        svg.append(String.format(Locale.ROOT, "<text class=\"t\" x=\"%d\" y=\"16\">%s</text>%n", 6, name));
        for (double tick : Plot.ticks(low, high)) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<path class=\"g\" d=\"M%.1f %dV%d\"/>"
                            + "<text class=\"l\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x(tick),
                    TOP - 4,
                    height - BOTTOM,
                    x(tick),
                    height - BOTTOM + 14,
                    Plot.tick(tick)));
        }
        for (int i = 0; i < rows.size(); i++) {
            row(svg, rows.get(i), TOP + ROW * i + ROW / 2.0);
        }
        svg.append(String.format(
                Locale.ROOT,
                "<text class=\"l\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                WIDTH - RIGHT,
                height - 6,
                HtmlPage.escape(label)));
        return svg.append("</svg>\n").toString();
    }

    private void row(StringBuilder svg, FigureRow row, double y) {
        String text = HtmlPage.escape(row.series());
        svg.append(String.format(
                Locale.ROOT,
                "<g class=\"%s\"><text class=\"l\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>"
                        + "<path class=\"line thick\" d=\"M%d %.1fH%.1f\"/>"
                        + "<path class=\"bar\" d=\"M%.1f %.1fH%.1f\"/>"
                        + "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>"
                        + "<text class=\"l\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text></g>%n",
                Plot.style(row.series()),
                LEFT - 8,
                y + 4,
                text,
                LEFT,
                y,
                x(row.value()),
                x(Math.max(low, row.value() - row.spread())),
                y,
                x(row.value() + row.spread()),
                row.isResult() ? "dot" : "dot hollow",
                x(row.value()),
                y,
                WIDTH - 4,
                y + 4,
                Numbers.of(row.value())));
    }

    private double x(double value) {
        double share = Math.log(value / low) / Math.log(high / low);
        return LEFT + Math.clamp(share, 0, 1) * (WIDTH - LEFT - RIGHT);
    }
}
