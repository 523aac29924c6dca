package io.hyperverbs.lab.nas;

import java.util.ArrayList;
import java.util.List;

/**
 * The V-cycle of MG on all its levels: the residual goes down to the coarsest, corrections come up, each smoothed
 * (RNR-94-007, section 3.2).
 */
final class MgCycle {
    private final MgStencil laplace;
    private final MgStencil smoother;
    private final MgStencil restriction;

    /** From the coarsest, of two points along an axis, to the finest. */
    private final List<MgGrid> solutions = new ArrayList<>();

    private final List<MgGrid> residuals = new ArrayList<>();
    private final int finest;

    /** Of a coarse row while it is spread. */
    private final double[] means;

    MgCycle(int size, RankPeers peers) {
        laplace = new MgStencil(-8.0 / 3, 0, 1.0 / 6, 1.0 / 12, size);
        smoother = new MgStencil(-3.0 / 8, 1.0 / 32, -1.0 / 64, 0, size);
        restriction = new MgStencil(1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, size);
        means = new double[size + 2];
        for (int level = 2; level <= size; level *= 2) {
            solutions.add(new MgGrid(level, peers));
            residuals.add(new MgGrid(level, peers));
        }
        finest = solutions.size() - 1;
    }

    /** Forgets the solution. */
    void begin(MgGrid right) {
        solutions.get(finest).clear();
        subtract(right, finest);
    }

    /** @return the norm of what the solution misses the right side by */
    double norm() {
        return residuals.get(finest).norm();
    }

    /** One iteration; the residual is that of the new solution then. */
    void run(MgGrid right) {
        for (int level = finest; level > 0; level--) {
            restrict(residuals.get(level), residuals.get(level - 1));
        }
        solutions.getFirst().clear();
        smooth(0);
        for (int level = 1; level < finest; level++) {
            solutions.get(level).clear();
            spread(solutions.get(level - 1), solutions.get(level));
            subtract(residuals.get(level), level);
            smooth(level);
        }
        spread(solutions.get(finest - 1), solutions.get(finest));
        subtract(right, finest);
        smooth(finest);
        subtract(right, finest);
    }

    /** Residual = right - A solution; right may be the residual itself. */
    private void subtract(MgGrid right, int level) {
        MgGrid residual = residuals.get(level);
        for (int z = 1; z <= residual.planes; z++) {
            for (int y = 1; y <= residual.size; y++) {
                double[] sums = laplace.row(solutions.get(level), z, y);
                int row = residual.row(z, y);
                for (int x = 1; x <= residual.size; x++) {
                    residual.points[row + x] = right.points[row + x] - sums[x];
                }
            }
        }
        residual.copyEdges();
    }

    /** Solution += S residual. */
    private void smooth(int level) {
        MgGrid solution = solutions.get(level);
        for (int z = 1; z <= solution.planes; z++) {
            for (int y = 1; y <= solution.size; y++) {
                double[] sums = smoother.row(residuals.get(level), z, y);
                int row = solution.row(z, y);
                for (int x = 1; x <= solution.size; x++) {
                    solution.points[row + x] += sums[x];
                }
            }
        }
        solution.copyEdges();
    }

    /** Point i of the coarse grid lies at point 2 i of the fine one. */
    private void restrict(MgGrid fine, MgGrid coarse) {
        int before = fine.firstPlane / 2 - coarse.firstPlane;
        for (int z = 1; z <= fine.planes / 2; z++) {
            for (int y = 1; y <= coarse.size; y++) {
                double[] sums = restriction.row(fine, 2 * z, 2 * y);
                int row = coarse.row(before + z, y);
                for (int x = 1; x <= coarse.size; x++) {
                    coarse.points[row + x] = sums[2 * x];
                }
            }
        }
        coarse.gather(fine);
        coarse.copyEdges();
    }

    /** Adds the coarse grid to the fine one; points between coarse ones get the mean of their neighbours. */
    private void spread(MgGrid coarse, MgGrid fine) {
        int before = fine.firstPlane / 2 - coarse.firstPlane;
        for (int z = 1; z <= fine.planes; z++) {
            for (int y = 1; y <= fine.size; y++) {
                mean(coarse, before + z / 2, before + (z + 1) / 2, y);
                int row = fine.row(z, y);
                for (int x = 1; x <= fine.size; x++) {
                    fine.points[row + x] += (means[x / 2] + means[(x + 1) / 2]) / 2;
                }
            }
        }
        fine.copyEdges();
    }

    private void mean(MgGrid coarse, int lowerPlane, int upperPlane, int y) {
        double[] points = coarse.points;
        int a = coarse.row(lowerPlane, y / 2);
        int b = coarse.row(lowerPlane, (y + 1) / 2);
        int c = coarse.row(upperPlane, y / 2);
        int d = coarse.row(upperPlane, (y + 1) / 2);
        for (int x = 0; x <= coarse.size; x++) {
            means[x] = (points[a + x] + points[b + x] + points[c + x] + points[d + x]) / 4;
        }
    }
}
