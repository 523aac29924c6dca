package io.hyperverbs.lab.dsm.apps;

import java.util.SplittableRandom;

/**
 * The grid of {@link SorApplication}, and its sequential program.
 *
 * @param rows with the first and the last, which are fixed
 * @param columns with the first and the last, which are fixed; a power of two
 */
record SorGrid(int rows, int columns, int iterations) {
    static final double RELAXATION = 1.5;

    /** Points whose row and column add up to an even number. */
    static final int RED = 0;

    static final int BLACK = 1;

    private static final long SEED = 2003;

    static SorGrid of(AppSize size) {
        return switch (size) {
            case SMALL -> new SorGrid(50, 64, 10);
            case STANDARD -> new SorGrid(512, 512, 300);
        };
    }

    /** The first inner column with a point of this colour. */
    static int firstColumn(int row, int colour) {
        return 1 + (row + 1 + colour) % 2;
    }

    /** The same values whoever asks. */
    double[] startRow(int row) {
        SplittableRandom random = new SplittableRandom(SEED + row);
        double[] values = new double[columns];
        for (int column = 0; column < columns; column++) {
            values[column] = random.nextDouble();
        }
        return values;
    }

    /** @return all points after the iterations, row by row */
    double[] relaxed() {
        double[] points = new double[rows * columns];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(startRow(row), 0, points, row * columns, columns);
        }
        for (int phase = 0; phase < 2 * iterations; phase++) {
            for (int row = 1; row < rows - 1; row++) {
                int edge = row * columns;
                for (int at = edge + firstColumn(row, phase % 2); at < edge + columns - 1; at += 2) {
                    double sum = points[at - columns] + points[at + columns] + points[at - 1] + points[at + 1];
                    points[at] += RELAXATION * (sum / 4 - points[at]);
                }
            }
        }
        return points;
    }
}
