package io.hyperverbs.lab.nas;

import io.hyperverbs.lab.nas.NasResult.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * FT, a partial differential equation solved by transforms: random numbers go to wave numbers once; then, for each time,
 * they are damped by their square and brought back, and a checksum is taken (RNR-94-007, section 3.4; class S and W from
 * NPB 2). Ranks have planes, and exchange blocks with each other in each transform.
 */
public final class FtKernel implements NasKernel {
    private static final int ITERATIONS = 6;
    private static final int CHECKED = 1024;
    private static final double ALPHA = 1e-6;
    private static final double TOLERANCE = 1e-12;

    /** Grid, room for exchanges, and the wave numbers. */
    private static final int ARRAYS = 3;

    private final Size size;
    private final double[][] published;

    /** What the wave numbers of each axis are damped by between two times. */
    private final double[] dampingX;

    private final double[] dampingY;
    private final double[] dampingZ;

    private record Size(int x, int y, int z) {
        double numbers() {
            return (double) x * y * z;
        }
    }

    public FtKernel(ProblemClass problem) {
        size = switch (problem) {
            case S -> new Size(64, 64, 64);
            case W -> new Size(128, 128, 32);
            case A -> new Size(256, 256, 128);
        };
        published = FtChecksums.of(problem);
        dampingX = damping(size.x);
        dampingY = damping(size.y);
        dampingZ = damping(size.z);
    }

    @Override
    public int iterations() {
        return ITERATIONS;
    }

    @Override
    public double operations() {
        double log = Math.log(size.numbers());
        return size.numbers() * (14.8157 + 7.19641 * log + (5.23518 + 7.21113 * log) * ITERATIONS);
    }

    @Override
    public String refusal(int ranks) {
        return size.y % ranks == 0 && size.z % ranks == 0
                ? ""
                : "FT takes ranks that divide " + size.y + " and " + size.z + ", " + ranks + " do not";
    }

    @Override
    public long heapBytes(int ranks) {
        return (long) (2.0 * Double.BYTES * ARRAYS * size.numbers() / ranks);
    }

    @Override
    public NasResult run(RankPeers peers) {
        FtGrid grid = new FtGrid(size.x, size.y, size.z, peers);
        // Not timed: pages and code are touched.
        draw(grid);
        grid.forward();
        peers.sum(0);
        long start = System.nanoTime();
        draw(grid);
        grid.forward();
        double[] waves = grid.numbers().clone();
        List<double[]> sums = new ArrayList<>();
        for (int time = 1; time <= ITERATIONS; time++) {
            damp(waves, grid.firstY());
            System.arraycopy(waves, 0, grid.numbers(), 0, waves.length);
            grid.inverse();
            sums.add(checksum(grid, peers));
        }
        long nanos = System.nanoTime() - start;
        return new NasResult(nanos, checks(sums));
    }

    private List<Check> checks(List<double[]> sums) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < ITERATIONS; i++) {
            String at = " part of checksum " + (i + 1);
            checks.add(new Check("real" + at, sums.get(i)[0], published[i][0], TOLERANCE));
            checks.add(new Check("imaginary" + at, sums.get(i)[1], published[i][1], TOLERANCE));
        }
        return checks;
    }

    private void draw(FtGrid grid) {
        double[] numbers = grid.numbers();
        NasRandom random = new NasRandom(NasRandom.SEED);
        random.skip(2L * size.x * size.y * grid.firstZ());
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = random.next();
        }
    }

    /** The upper half of the numbers of an axis are negative waves. */
    private static double[] damping(int length) {
        double[] factors = new double[length];
        for (int i = 0; i < length; i++) {
            double wave = i < length / 2 ? i : i - length;
            factors[i] = Math.exp(-4 * ALPHA * Math.PI * Math.PI * wave * wave);
        }
        return factors;
    }

    private void damp(double[] waves, int firstY) {
        int at = 0;
        for (int y = firstY; at < waves.length; y++) {
            for (int x = 0; x < size.x; x++) {
                double ofColumn = dampingY[y] * dampingX[x];
                for (int z = 0; z < size.z; z++) {
                    double factor = ofColumn * dampingZ[z];
                    waves[at++] *= factor;
                    waves[at++] *= factor;
                }
            }
        }
    }

    /** Adds up numbers at places all over the grid. */
    private double[] checksum(FtGrid grid, RankPeers peers) {
        double[] numbers = grid.numbers();
        double[] sum = new double[2];
        for (int i = 1; i <= CHECKED; i++) {
            int at = 2 * (((5 * i % size.z - grid.firstZ()) * size.y + 3 * i % size.y) * size.x + i % size.x);
            if (at >= 0 && at < numbers.length) {
                sum[0] += numbers[at];
                sum[1] += numbers[at + 1];
            }
        }
        peers.sum(sum);
        sum[0] /= size.numbers();
        sum[1] /= size.numbers();
        return sum;
    }
}
