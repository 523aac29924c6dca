package io.hyperverbs.lab.dsm.perf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** Figures that are compared: measured in turns, rounds after one that nobody looks at. */
final class InTurns {
    private static final int ROUNDS = 3;

    private final List<DoubleSupplier> figures = new ArrayList<>();

    /** Adds a figure in us. */
    InTurns add(DoubleSupplier figure) {
        figures.add(figure);
        return this;
    }

    /** Median, least and most of each in us, as text. */
    List<String> measure() {
        return Arrays.stream(all(ROUNDS)).map(InTurns::text).toList();
    }

    /** Each in us, of one round after the one that nobody looks at. */
    List<Double> once() {
        return Arrays.stream(all(1)).map(one -> one[0]).toList();
    }

    private double[][] all(int rounds) {
        double[][] all = new double[figures.size()][rounds];
        // What the round before the first finds, with code that is not compiled yet, is overwritten.
        for (int round = -1; round < rounds; round++) {
            for (int i = 0; i < all.length; i++) {
                all[i][Math.max(0, round)] = figures.get(i).getAsDouble();
            }
        }
        Arrays.stream(all).forEach(Arrays::sort);
        return all;
    }

    private static String text(double[] one) {
        return String.format(Locale.ROOT, "%.1f (%.1f to %.1f)", one[ROUNDS / 2], one[0], one[ROUNDS - 1]);
    }
}
