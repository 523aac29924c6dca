package io.hyperverbs.lab.run.suite;

import java.util.Locale;

/** Figures as people read them. */
final class Numbers {
    private static final int KIBI = 1024;

    private Numbers() {}

    /** Three digits, or all those before the point. */
    static String of(double value) {
        double size = Math.abs(value);
        int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    static String ratio(double value) {
        return value >= 100 ? of(value) : String.format(Locale.ROOT, "%.2f", value);
    }

    static String ratio(FigureRatio ratio) {
        return ratio(ratio.value()) + " ± " + ratio(ratio.spread());
    }

    /** A number of the axis: 65536 is 64Ki. */
    static String axis(long x) {
        if (x >= KIBI * KIBI && x % (KIBI * KIBI) == 0) {
            return x / (KIBI * KIBI) + "Mi";
        }
        if (x >= KIBI && x % KIBI == 0) {
            return x / KIBI + "Ki";
        }
        return Long.toString(x);
    }
}
