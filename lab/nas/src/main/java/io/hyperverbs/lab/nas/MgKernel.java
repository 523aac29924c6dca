package io.hyperverbs.lab.nas;

import io.hyperverbs.lab.nas.NasResult.Check;
import java.util.List;

/**
 * MG, multigrid: four V-cycles on Poisson's equation with twenty point charges (RNR-94-007, section 3.2; classes S and W
 * from NPB 2 and 3). Ranks have planes of equal z, and exchange those at the edges; on levels with less than two planes
 * for each, all ranks do the same work.
 */
public final class MgKernel implements NasKernel {
    private static final int ITERATIONS = 4;
    private static final double OPERATIONS = 58;
    private static final double TOLERANCE = 1e-8;

    private final Size size;

    private record Size(int points, double norm) {}

    public MgKernel(ProblemClass problem) {
        size = switch (problem) {
            case S -> new Size(32, 0.5307707005734e-04);
            case W -> new Size(128, 0.6467329375339e-05);
            case A -> new Size(256, 0.2433365309069e-05);
        };
    }

    @Override
    public int iterations() {
        return ITERATIONS;
    }

    @Override
    public double operations() {
        return OPERATIONS * ITERATIONS * Math.pow(size.points, 3);
    }

    @Override
    public String refusal(int ranks) {
        return Integer.bitCount(ranks) == 1 && ranks <= size.points / 2
                ? ""
                : "MG takes a power of two of ranks, " + size.points / 2 + " at most";
    }

    @Override
    public long heapBytes(int ranks) {
        double finest = Math.pow(size.points + 2, 2) * ((double) size.points / ranks + 2) * Double.BYTES;
        // Right side, solution and residual, of which the coarser levels take a seventh.
        return (long) (finest * (1 + 2 * 8.0 / 7));
    }

    @Override
    public NasResult run(RankPeers peers) {
        MgGrid right = new MgGrid(size.points, peers);
        MgCharges.place(right, peers);
        MgCycle cycle = new MgCycle(size.points, peers);
        // Not timed: pages and code are touched.
        cycle.begin(right);
        cycle.run(right);
        peers.sum(0);
        long start = System.nanoTime();
        cycle.begin(right);
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            cycle.run(right);
        }
        double norm = cycle.norm();
        long nanos = System.nanoTime() - start;
        return new NasResult(nanos, List.of(new Check("norm of the residual", norm, size.norm, TOLERANCE)));
    }
}
