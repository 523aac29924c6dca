package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.report.HtmlPage;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Lines over a common x as SVG, both axes logarithmic or the one of x plain; points with their spread, hollow where they are no
 * result.
 */
final class LinePlot {
    private static final int WIDTH = 460;
    private static final int HEIGHT = 290;
    private static final int LEFT = 58;
    private static final int RIGHT = 18;
    private static final int TOP = 44;
    private static final int BOTTOM = 44;

    /** Less than this between the ends of y would show noise as mountains. */
    private static final double LEAST_RANGE = 3;

    /** Labels of x that do not run into each other. */
    private static final int MOST_LABELS = 8;

    /**
     * @param low end of its spread
     * @param high end of its spread
     */
    record Point(double x, double y, double low, double high, boolean isResult) {}

    record Line(String name, List<Point> points) {}

    private final String title;
    private final String xLabel;
    private final String yLabel;
    private final boolean isLogX;
    private final boolean isRatio;
    private final List<Line> lines;
    private final double lowX;
    private final double highX;
    private final double lowY;
    private final double highY;

    /**
     * @param isRatio has a line at 1
     * @param lines at least one point, y above 0, and x too where it is logarithmic
     */
    LinePlot(String title, String xLabel, String yLabel, boolean isLogX, boolean isRatio, List<Line> lines) {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
        this.isLogX = isLogX;
        this.isRatio = isRatio;
        this.lines = List.copyOf(lines);
        this.lowX = points().mapToDouble(Point::x).min().orElseThrow();
        this.highX = points().mapToDouble(Point::x).max().orElseThrow();
        double low = points().mapToDouble(Point::y).min().orElseThrow();
        double high = points().mapToDouble(Point::y).max().orElseThrow();
        double room = Math.max(1.25, Math.sqrt(LEAST_RANGE / (high / low)));
        this.lowY = low / room;
        this.highY = high * room;
    }

    private Stream<Point> points() {
        return lines.stream().flatMap(line -> line.points().stream());
    }

    String svg() {
        StringBuilder svg = new StringBuilder();
        String name = HtmlPage.escape(title);
        svg.append(String.format(
                Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n", WIDTH, HEIGHT, name));
        svg.append(String.format(Locale.ROOT, "<text class=\"t\" x=\"%d\" y=\"16\">%s</text>%n", 6, name));
        grid(svg);
        lines.forEach(line -> line(svg, line));
        return svg.append("</svg>\n").toString();
    }

    private void grid(StringBuilder svg) {
        svg.append(String.format(
                Locale.ROOT, "<text class=\"l\" x=\"6\" y=\"%d\">%s</text>%n", TOP - 12, HtmlPage.escape(yLabel)));
        for (double tick : Plot.ticks(lowY, highY)) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<path class=\"%s\" d=\"M%d %.1fH%d\"/>"
                            + "<text class=\"l\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
                    isRatio && tick == 1 ? "g one" : "g",
                    LEFT,
                    y(tick),
                    WIDTH - RIGHT,
                    LEFT - 6,
                    y(tick) + 4,
                    Plot.tick(tick)));
        }
        List<Double> xs = points().map(Point::x).distinct().sorted().toList();
        int every = (xs.size() + MOST_LABELS - 1) / MOST_LABELS;
        for (int i = 0; i < xs.size(); i++) {
            double x = x(xs.get(i));
            svg.append(String.format(Locale.ROOT, "<path class=\"g\" d=\"M%.1f %dV%d\"/>", x, TOP, HEIGHT - BOTTOM));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text class=\"l\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x,
                    HEIGHT - BOTTOM + 15,
                    i % every == 0 ? Numbers.axis(Math.round(xs.get(i))) : ""));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<text class=\"l\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                WIDTH - RIGHT,
                HEIGHT - 8,
                HtmlPage.escape(xLabel)));
    }

    private void line(StringBuilder svg, Line line) {
        String style = Plot.style(line.name());
        StringBuilder way = new StringBuilder();
        for (Point point : line.points()) {
            way.append(
                    String.format(Locale.ROOT, "%s%.1f %.1f", way.isEmpty() ? "M" : "L", x(point.x()), y(point.y())));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<g class=\"%s\"><title>%s</title><path class=\"line\" d=\"%s\"/>%n",
                style,
                HtmlPage.escape(line.name()),
                way));
        for (Point point : line.points()) {
            double x = x(point.x());
            svg.append(String.format(
                    Locale.ROOT,
                    "<path class=\"bar\" d=\"M%.1f %.1fV%.1f\"/><circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.4\">"
                            + "<title>%s, %s: %s</title></circle>%n",
                    x,
                    y(point.low()),
                    y(point.high()),
                    point.isResult() ? "dot" : "dot hollow",
                    x,
                    y(point.y()),
                    HtmlPage.escape(line.name()),
                    Numbers.axis(Math.round(point.x())),
                    Numbers.of(point.y())));
        }
        svg.append("</g>\n");
    }

    private double x(double value) {
        double share = highX == lowX
                ? 0.5
                : isLogX ? Math.log(value / lowX) / Math.log(highX / lowX) : (value - lowX) / (highX - lowX);
        return LEFT + 14 + share * (WIDTH - LEFT - RIGHT - 28);
    }

    private double y(double value) {
        double share = Math.log(Math.max(value, lowY) / lowY) / Math.log(highY / lowY);
        return HEIGHT - BOTTOM - Math.clamp(share, 0, 1) * (HEIGHT - TOP - BOTTOM);
    }
}
