package io.hyperverbs.lab.dsm.apps;

/**
 * Steps of a blocked LU factorisation, on private copies of blocks, row by row. Each element subtracts its products in
 * the order of the steps, as the unblocked factorisation does, so that both round alike.
 */
final class LuBlock {
    static final int EDGE = 16;
    static final int ELEMENTS = EDGE * EDGE;

    private LuBlock() {}

    /** Factors a diagonal block in place; the lower triangle has ones in its diagonal, which are not stored. */
    static void factor(double[] block) {
        for (int step = 0; step < EDGE; step++) {
            for (int row = step + 1; row < EDGE; row++) {
                double factor = block[row * EDGE + step] / block[step * EDGE + step];
                block[row * EDGE + step] = factor;
                for (int column = step + 1; column < EDGE; column++) {
                    block[row * EDGE + column] -= factor * block[step * EDGE + column];
                }
            }
        }
    }

    /** A block below the diagonal becomes X, where X times the diagonal's upper triangle is the block. */
    static void solveUpper(double[] block, double[] diagonal) {
        for (int row = 0; row < ELEMENTS; row += EDGE) {
            for (int step = 0; step < EDGE; step++) {
                double factor = block[row + step] / diagonal[step * EDGE + step];
                block[row + step] = factor;
                for (int column = step + 1; column < EDGE; column++) {
                    block[row + column] -= factor * diagonal[step * EDGE + column];
                }
            }
        }
    }

    /** A block right of the diagonal becomes X, where the diagonal's lower triangle times X is the block. */
    static void solveLower(double[] block, double[] diagonal) {
        for (int step = 0; step < EDGE; step++) {
            for (int row = step + 1; row < EDGE; row++) {
                double factor = diagonal[row * EDGE + step];
                for (int column = 0; column < EDGE; column++) {
                    block[row * EDGE + column] -= factor * block[step * EDGE + column];
                }
            }
        }
    }

    static void subtractProduct(double[] block, double[] left, double[] upper) {
        for (int row = 0; row < ELEMENTS; row += EDGE) {
            for (int step = 0; step < EDGE; step++) {
                double factor = left[row + step];
                for (int column = 0; column < EDGE; column++) {
                    block[row + column] -= factor * upper[step * EDGE + column];
                }
            }
        }
    }
}
