package io.hyperverbs.lab.run.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What plots share: logarithmic axes, and how a series looks. */
final class Plot {
    private static final double[] STEPS = {1, 2, 5};

    private Plot() {}

    /** Class of a series, which the page's style has a colour for in both schemes. */
    static String style(String series) {
        return switch (series) {
            case "native", "alone", "write", "polling", "messages" -> "s-native";
            case "bypass", "posted", "bypass / native", "beside idle", "send", "send / write", "event", "KiB" ->
                "s-bypass";
            case "forwarded", "forwarded / native", "read", "read / write", "task queue" -> "s-forwarded";
            case "grpc call", "futex wake", "grpc call / native" -> "s-floor";
            default -> "s-other";
        };
    }

    /**
     * Ticks of a logarithmic axis, at one, two and five of each decade; of each decade alone where that are many.
     *
     * @param low above 0
     */
    static List<Double> ticks(double low, double high) {
        boolean isWide = Math.log10(high / low) > 2.5;
        List<Double> ticks = new ArrayList<>();
        for (double exponent = Math.floor(Math.log10(low)); exponent <= Math.log10(high); exponent++) {
            for (double step : STEPS) {
                double tick = step * Math.pow(10, exponent);
                if (tick >= low * 0.999 && tick <= high * 1.001 && (step == 1 || !isWide)) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }

    /** Of a tick: no digit that is not needed. */
    static String tick(double value) {
        return value >= 1
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.4f", value).replaceAll("0+$", "");
    }
}
