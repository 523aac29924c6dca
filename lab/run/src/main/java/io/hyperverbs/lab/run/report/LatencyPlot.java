package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.Percentiles;
import java.util.Locale;
import java.util.Map;

/**
 * Percentile curves of one cell as SVG: time on a logarithmic axis upwards, percentiles by their
 * distance from 100 to the right, as in HdrHistogram's plots.
 */
final class LatencyPlot {
    private static final int WIDTH = 460;
    private static final int HEIGHT = 260;
    private static final int LEFT = 52;
    private static final int RIGHT = 24;
    private static final int TOP = 28;
    private static final int BOTTOM = 34;

    /** 1 - p is 1, 0.1, 0.01 ... at each division; the axis ends at 99.99 %. */
    private static final double DECADES = 4;

    private static final double[] TICKS = {0, 50, 90, 99, 99.9, 99.99};

    private final String title;
    private final Map<MeasuredPath, Percentiles> curves;
    private final double lowExponent;
    private final double highExponent;

    LatencyPlot(String title, Map<MeasuredPath, Percentiles> curves) {
        this.title = title;
        this.curves = curves;
        double low =
                curves.values().stream().mapToDouble(Percentiles::min).min().orElse(0.1);
        double high = curves.values().stream()
                .mapToDouble(d -> d.percentile(99.99))
                .max()
                .orElse(10);
        // Whole decades, so that plots of one page can be compared by eye.
        this.lowExponent = Math.floor(Math.log10(Math.max(low, 1e-3)));
        this.highExponent = Math.max(lowExponent + 1, Math.ceil(Math.log10(Math.max(high, 1e-3))));
    }

    /** Colour of a path in plots and legend; told apart also by the colour-blind. */
    static String color(MeasuredPath path) {
        return switch (path) {
            case NATIVE -> "#1b9e77";
            case BYPASS -> "#386cb0";
            case FORWARDED -> "#d95f02";
            case FORWARDED_UNARY -> "#7f3c8d";
            case FLOOR -> "#666666";
        };
    }

    String svg() {
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                        Locale.ROOT,
                        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                        WIDTH,
                        HEIGHT,
                        title))
                .append('\n');
        svg.append(String.format(Locale.ROOT, "<text class=\"t\" x=\"%d\" y=\"17\">%s</text>", LEFT, title))
                .append('\n');
        grid(svg);
        curves.forEach((path, times) -> curve(svg, path, times));
        return svg.append("</svg>\n").toString();
    }

    private void grid(StringBuilder svg) {
        for (double exponent = lowExponent; exponent <= highExponent; exponent++) {
            double y = y(Math.pow(10, exponent));
            svg.append(String.format(
                            Locale.ROOT,
                            "<path class=\"g\" d=\"M%d %.1fH%d\"/><text class=\"l\""
                                    + " x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                            LEFT,
                            y,
                            WIDTH - RIGHT,
                            LEFT - 5,
                            y + 4,
                            tick(exponent)))
                    .append('\n');
        }
        for (double percent : TICKS) {
            double x = x(percent);
            svg.append(String.format(
                            Locale.ROOT,
                            "<path class=\"g\" d=\"M%.1f %dV%d\"/><text class=\"l\""
                                    + " x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                            x,
                            TOP,
                            HEIGHT - BOTTOM,
                            x,
                            HEIGHT - BOTTOM + 14,
                            percent == 0 ? "min" : "p" + number(percent)))
                    .append('\n');
        }
        svg.append(String.format(
                        Locale.ROOT,
                        "<text class=\"l\" x=\"%d\" y=\"%d\""
                                + " text-anchor=\"end\">percentile</text><text class=\"l\""
                                + " x=\"6\" y=\"17\">μs</text>",
                        WIDTH - RIGHT,
                        HEIGHT - 4))
                .append('\n');
    }

    private void curve(StringBuilder svg, MeasuredPath path, Percentiles times) {
        StringBuilder points = new StringBuilder();
        int steps = 160;
        for (int i = 0; i <= steps; i++) {
            double percent = 100 * (1 - Math.pow(10, -DECADES * i / steps));
            // Percentiles finer than one sample say nothing new.
            if (i > 0 && (100 - percent) / 100 * times.count() < 1) {
                break;
            }
            double value = i == 0 ? times.min() : times.percentile(percent);
            points.append(String.format(Locale.ROOT, "%s%.1f %.1f", i == 0 ? "M" : "L", x(percent), y(value)));
        }
        svg.append(String.format(
                        Locale.ROOT,
                        "<path class=\"c\" stroke=\"%s\" d=\"%s\"><title>%s</title></path>",
                        color(path),
                        points,
                        path.word()))
                .append('\n');
    }

    private static double x(double percent) {
        double share = -Math.log10(Math.max(1 - percent / 100, 1e-9)) / DECADES;
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    private double y(double us) {
        double share = (Math.log10(Math.max(us, 1e-3)) - lowExponent) / (highExponent - lowExponent);
        return HEIGHT - BOTTOM - Math.clamp(share, 0, 1) * (HEIGHT - TOP - BOTTOM);
    }

    private static String tick(double exponent) {
        return exponent >= 0
                ? String.format(Locale.ROOT, "%.0f", Math.pow(10, exponent))
                : String.format(Locale.ROOT, "%." + (int) -exponent + "f", Math.pow(10, exponent));
    }

    private static String number(double percent) {
        return percent == Math.rint(percent) ? Integer.toString((int) percent) : Double.toString(percent);
    }
}
