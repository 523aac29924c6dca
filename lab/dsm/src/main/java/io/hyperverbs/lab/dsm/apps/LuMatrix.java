package io.hyperverbs.lab.dsm.apps;

import java.util.SplittableRandom;

/**
 * The matrix of {@link LuApplication}, and its sequential program.
 *
 * @param order rows, and columns; a multiple of {@link LuBlock#EDGE}
 */
record LuMatrix(int order) {
    private static final long SEED = 1995;

    static LuMatrix of(AppSize size) {
        return switch (size) {
            case SMALL -> new LuMatrix(5 * LuBlock.EDGE);
            case STANDARD -> new LuMatrix(18 * LuBlock.EDGE);
        };
    }

    /** Row by row. Its diagonal outweighs the rest of a row, so that no pivot is small. */
    double[] start() {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] elements = new double[order * order];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = random.nextDouble();
        }
        for (int row = 0; row < order; row++) {
            elements[row * order + row] += order;
        }
        return elements;
    }

    /** Gauss's elimination, row by row. @return both triangles in one matrix */
    double[] factored() {
        double[] a = start();
        for (int step = 0; step < order; step++) {
            for (int row = step + 1; row < order; row++) {
                double factor = a[row * order + step] / a[step * order + step];
                a[row * order + step] = factor;
                for (int column = step + 1; column < order; column++) {
                    a[row * order + column] -= factor * a[step * order + column];
                }
            }
        }
        return a;
    }
}
