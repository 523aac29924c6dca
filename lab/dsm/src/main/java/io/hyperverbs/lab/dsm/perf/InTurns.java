package io.hyperverbs.lab.dsm.perf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** Figures that are compared: measured in turns, several rounds after one that nobody looks at. */
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
        double[][] all = new double[figures.size()][ROUNDS];
        // What the round before the first finds, with code that is not compiled yet, is overwritten.
        for (int round = -1; round < ROUNDS; round++) {
            for (int i = 0; i < all.length; i++) {
                all[i][Math.max(0, round)] = figures.get(i).getAsDouble();
            }
        }
        return Arrays.stream(all).map(InTurns::text).toList();
    }

    private static String text(double[] one) {
        Arrays.sort(one);
        return String.format(Locale.ROOT, "%.1f (%.1f to %.1f)", one[ROUNDS / 2], one[0], one[ROUNDS - 1]);
    }
}
