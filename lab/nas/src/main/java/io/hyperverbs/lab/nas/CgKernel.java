package io.hyperverbs.lab.nas;

import io.hyperverbs.lab.nas.NasResult.Check;
import java.util.Arrays;
import java.util.List;

/**
 * CG, conjugate gradient: the lowest eigenvalue of a sparse random matrix by inverse iteration, each step solved by 25
 * steps of the conjugate gradient method (RNR-94-007, section 3.3; classes S and W from NPB 2). Ranks have blocks of
 * rows; each product needs the whole vector, which they gather.
 */
public final class CgKernel implements NasKernel {
    private static final int ITERATIONS = 15;
    private static final int STEPS = 25;
    private static final int ELEMENT_BYTES = 12;
    private static final double TOLERANCE = 1e-10;

    private final Size size;

    /** The vector of a product, with what makes the ranks' parts equally long. */
    private double[] whole = {};

    private record Size(int order, int nonzeros, double shift, double zeta) {}

    public CgKernel(ProblemClass problem) {
        size = switch (problem) {
            case S -> new Size(1400, 7, 10, 8.5971775078648);
            case W -> new Size(7000, 8, 12, 10.362595087124);
            case A -> new Size(14000, 11, 20, 17.130235054029);
        };
    }

    @Override
    public int iterations() {
        return ITERATIONS;
    }

    @Override
    public double operations() {
        int perRow = size.nonzeros * (size.nonzeros + 1);
        return 2.0 * ITERATIONS * size.order * (3 + perRow + STEPS * (5.0 + perRow) + 3);
    }

    @Override
    public String refusal(int ranks) {
        return ranks <= size.order ? "" : "CG takes " + size.order + " ranks at most";
    }

    @Override
    public long heapBytes(int ranks) {
        long drawn = (long) size.order * (size.nonzeros + 1);
        return ELEMENT_BYTES * drawn * (1 + (size.nonzeros + 1) / ranks);
    }

    @Override
    public NasResult run(RankPeers peers) {
        int block = (size.order + peers.size() - 1) / peers.size();
        int first = Math.min(size.order, block * peers.rank());
        int end = Math.min(size.order, first + block);
        CgMatrix matrix = new CgMatrix(size.order, size.nonzeros, size.shift, first, end);
        whole = new double[block * peers.size()];
        double[] x = new double[block];
        double[] z = new double[block];
        Arrays.fill(x, 0, end - first, 1);
        // Not timed: pages and code are touched.
        solve(matrix, x, z, peers);
        peers.sum(0);
        long start = System.nanoTime();
        double zeta = 0;
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            solve(matrix, x, z, peers);
            double[] products = {dot(x, z), dot(z, z)};
            peers.sum(products);
            zeta = size.shift + 1 / products[0];
            double norm = Math.sqrt(products[1]);
            for (int i = 0; i < block; i++) {
                x[i] = z[i] / norm;
            }
        }
        long nanos = System.nanoTime() - start;
        return new NasResult(nanos, List.of(new Check("zeta", zeta, size.zeta, TOLERANCE)));
    }

    /**
     * Finds z with A z = x, nearly.
     *
     * @return the norm of what is missing, which is part of the work (and of NPB's output)
     */
    private double solve(CgMatrix matrix, double[] x, double[] z, RankPeers peers) {
        double[] residual = x.clone();
        double[] direction = x.clone();
        double[] product = new double[x.length];
        Arrays.fill(z, 0);
        double square = peers.sum(dot(residual, residual));
        for (int step = 0; step < STEPS; step++) {
            peers.allGather(direction, whole);
            matrix.multiply(whole, product);
            double alpha = square / peers.sum(dot(direction, product));
            for (int i = 0; i < z.length; i++) {
                z[i] += alpha * direction[i];
                residual[i] -= alpha * product[i];
            }
            double before = square;
            square = peers.sum(dot(residual, residual));
            double beta = square / before;
            for (int i = 0; i < z.length; i++) {
                direction[i] = residual[i] + beta * direction[i];
            }
        }
        peers.allGather(z, whole);
        matrix.multiply(whole, product);
        double missing = 0;
        for (int i = 0; i < z.length; i++) {
            missing += (x[i] - product[i]) * (x[i] - product[i]);
        }
        return Math.sqrt(peers.sum(missing));
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
