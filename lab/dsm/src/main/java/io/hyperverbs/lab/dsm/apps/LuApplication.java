package io.hyperverbs.lab.dsm.apps;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedDoubles;

/**
 * LU: a dense matrix is factored into a lower and an upper triangle, without pivoting (Liss 2003 §5.2, SPLASH-2).
 * Blocks lie one after another and are scattered over a grid of nodes; the owner of a block alone writes it. A
 * minipage is a block.
 */
public final class LuApplication implements DsmApplication {
    private static final double[] NOTHING = {};

    @Override
    public String name() {
        return "lu";
    }

    @Override
    public double[] run(Dsm dsm, AppSize size, AppTimer timer) {
        Factors factors = new Factors(dsm, LuMatrix.of(size));
        timer.start();
        for (int step = 0; step < factors.across; step++) {
            factors.factorDiagonal(step);
            // The blocks right of and below the diagonal need it.
            dsm.barrier();
            factors.solvePerimeter(step);
            // The blocks right and below need the perimeter. Nobody else needs what they become in this step.
            dsm.barrier();
            factors.updateInterior(step);
        }
        timer.stop();
        return dsm.node() == 0 ? factors.all() : NOTHING;
    }

    @Override
    public double[] expected(AppSize size) {
        return LuMatrix.of(size).factored();
    }

    /** The matrix as one node sees it. */
    private static final class Factors {
        private final LuMatrix matrix;
        private final int across;
        private final int node;
        private final LuBlockPlaces places;
        private final SharedDoubles blocks;
        private final double[] diagonal = new double[LuBlock.ELEMENTS];
        private final double[] left = new double[LuBlock.ELEMENTS];
        private final double[] upper = new double[LuBlock.ELEMENTS];
        private final double[] own = new double[LuBlock.ELEMENTS];

        Factors(Dsm dsm, LuMatrix matrix) {
            this.matrix = matrix;
            across = matrix.order() / LuBlock.EDGE;
            node = dsm.node();
            places = new LuBlockPlaces(across, dsm.nodes());
            blocks = dsm.doubles(places.room() * LuBlock.ELEMENTS, LuBlock.ELEMENTS);
            double[] start = matrix.start();
            for (int row = 0; row < across; row++) {
                for (int column = 0; column < across; column++) {
                    if (isOwn(row, column)) {
                        copyRows(start, row, column, true);
                        write(row, column);
                    }
                }
            }
        }

        void factorDiagonal(int step) {
            if (isOwn(step, step)) {
                read(step, step, own);
                LuBlock.factor(own);
                write(step, step);
            }
        }

        void solvePerimeter(int step) {
            read(step, step, diagonal);
            for (int other = step + 1; other < across; other++) {
                if (isOwn(other, step)) {
                    read(other, step, own);
                    LuBlock.solveUpper(own, diagonal);
                    write(other, step);
                }
                if (isOwn(step, other)) {
                    read(step, other, own);
                    LuBlock.solveLower(own, diagonal);
                    write(step, other);
                }
            }
        }

        void updateInterior(int step) {
            for (int row = step + 1; row < across; row++) {
                for (int column = step + 1; column < across; column++) {
                    if (isOwn(row, column)) {
                        read(row, step, left);
                        read(step, column, upper);
                        read(row, column, own);
                        LuBlock.subtractProduct(own, left, upper);
                        write(row, column);
                    }
                }
            }
        }

        /** @return the matrix row by row */
        double[] all() {
            double[] all = new double[matrix.order() * matrix.order()];
            for (int row = 0; row < across; row++) {
                for (int column = 0; column < across; column++) {
                    read(row, column, own);
                    copyRows(all, row, column, false);
                }
            }
            return all;
        }

        private void copyRows(double[] whole, int row, int column, boolean toBlock) {
            for (int inner = 0; inner < LuBlock.EDGE; inner++) {
                int from = (row * LuBlock.EDGE + inner) * matrix.order() + column * LuBlock.EDGE;
                int to = inner * LuBlock.EDGE;
                if (toBlock) {
                    System.arraycopy(whole, from, own, to, LuBlock.EDGE);
                } else {
                    System.arraycopy(own, to, whole, from, LuBlock.EDGE);
                }
            }
        }

        private boolean isOwn(int row, int column) {
            return places.owner(row, column) == node;
        }

        private void read(int row, int column, double[] into) {
            blocks.get(places.place(row, column) * LuBlock.ELEMENTS, into, 0, LuBlock.ELEMENTS);
        }

        private void write(int row, int column) {
            blocks.set(places.place(row, column) * LuBlock.ELEMENTS, own, 0, LuBlock.ELEMENTS);
        }
    }
}
