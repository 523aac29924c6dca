package io.hyperverbs.lab.dsm.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Relaxation ends where each inner point is the mean of those around it. */
class SorGridTest {
    private static final double TOLERANCE = 1e-9;

    @Test
    void convergesToMeans() {
        SorGrid grid = new SorGrid(10, 16, 200);
        int columns = grid.columns();

        double[] points = grid.relaxed();

        assertThat(points).startsWith(grid.startRow(0));
        for (int row = 1; row < grid.rows() - 1; row++) {
            for (int at = row * columns + 1; at < (row + 1) * columns - 1; at++) {
                double sum = points[at - columns] + points[at + columns] + points[at - 1] + points[at + 1];
                assertThat(points[at]).isCloseTo(sum / 4, within(TOLERANCE));
            }
        }
    }

    @Test
    void coloursNeighboursDifferently() {
        for (int row = 0; row < 4; row++) {
            assertThat((row + SorGrid.firstColumn(row, SorGrid.RED)) % 2).isZero();
            assertThat((row + SorGrid.firstColumn(row, SorGrid.BLACK)) % 2).isOne();
        }
    }
}
