package io.hyperverbs.lab.dsm.apps;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedDoubles;

/**
 * SOR: red-black successive over-relaxation on a grid with a fixed edge (Liss 2003 §5.2, TreadMarks). Each node has a
 * band of rows, and reads of others the two rows beside its band. A minipage is a row.
 */
public final class SorApplication implements DsmApplication {
    private static final double[] NOTHING = {};

    @Override
    public String name() {
        return "sor";
    }

    @Override
    public double[] run(Dsm dsm, AppSize size, AppTimer timer) {
        SorGrid grid = SorGrid.of(size);
        Band band = new Band(dsm, grid);
        timer.start();
        for (int iteration = 0; iteration < grid.iterations(); iteration++) {
            band.relax(SorGrid.RED);
            dsm.barrier();
            band.relax(SorGrid.BLACK);
            dsm.barrier();
        }
        timer.stop();
        return dsm.node() == 0 ? band.all() : NOTHING;
    }

    @Override
    public double[] expected(AppSize size) {
        return SorGrid.of(size).relaxed();
    }

    /** The rows of one node. */
    private static final class Band {
        private final SorGrid grid;
        private final int columns;
        private final int first;
        private final int end;
        private final SharedDoubles values;

        /** Three rows, one below the other, as private copies. */
        private double[] above;

        private double[] here;
        private double[] below;

        Band(Dsm dsm, SorGrid grid) {
            this.grid = grid;
            columns = grid.columns();
            NodeShare share = NodeShare.of(dsm, grid.rows());
            values = dsm.doubles(share.room() * columns, columns);
            for (int row = share.first(); row < share.end(); row++) {
                values.set(row * columns, grid.startRow(row), 0, columns);
            }
            first = Math.max(1, share.first());
            end = Math.min(grid.rows() - 1, share.end());
            above = new double[columns];
            here = new double[columns];
            below = new double[columns];
        }

        /** Others may change points of the other colour in the rows beside the band meanwhile; these are not used. */
        void relax(int colour) {
            if (first >= end) {
                return;
            }
            read(first - 1, above);
            read(first, here);
            for (int row = first; row < end; row++) {
                read(row + 1, below);
                for (int column = SorGrid.firstColumn(row, colour); column < columns - 1; column += 2) {
                    double sum = above[column] + below[column] + here[column - 1] + here[column + 1];
                    here[column] += SorGrid.RELAXATION * (sum / 4 - here[column]);
                }
                values.set(row * columns, here, 0, columns);
                double[] free = above;
                above = here;
                here = below;
                below = free;
            }
        }

        private void read(int row, double[] into) {
            values.get(row * columns, into, 0, columns);
        }

        double[] all() {
            double[] all = new double[grid.rows() * columns];
            values.get(0, all, 0, all.length);
            return all;
        }
    }
}
