package io.hyperverbs.lab.nas;

import io.hyperverbs.lab.nas.NasResult.Check;
import java.util.List;

/**
 * EP, embarrassingly parallel: Gaussian pairs by the polar method from 2^m pairs of random numbers, counted in square
 * annuli (RNR-94-007, section 3.1; values of classes S and W from NPB 2). Ranks take batches in turn.
 */
public final class EpKernel implements NasKernel {
    private static final long SEED = 271828183;
    private static final int BATCH_LOG = 16;
    private static final int BATCH = 1 << BATCH_LOG;
    private static final int ANNULI = 10;
    private static final double TOLERANCE = 1e-8;

    private final Size size;

    /** Sums of both Gaussian numbers, then pairs in each annulus. */
    private final double[] sums = new double[2 + ANNULI];

    /** @param gaussianPairs how many of the 2^pairsLog pairs lie in the circle */
    private record Size(int pairsLog, double sumX, double sumY, double gaussianPairs) {}

    public EpKernel(ProblemClass problem) {
        size = switch (problem) {
            case S -> new Size(24, -3.247834652034740e3, -6.958407078382297e3, 13176389);
            case W -> new Size(25, -2.863319731645753e3, -6.320053679109499e3, 26354769);
            case A -> new Size(28, -4.295875165629892e3, -1.580732573678431e4, 210832767);
        };
    }

    @Override
    public int iterations() {
        return 1;
    }

    @Override
    public double operations() {
        return 2.0 * (1L << size.pairsLog);
    }

    @Override
    public String refusal(int ranks) {
        return "";
    }

    @Override
    public long heapBytes(int ranks) {
        return 0;
    }

    @Override
    public NasResult run(RankPeers peers) {
        peers.sum(0);
        long start = System.nanoTime();
        for (int batch = peers.rank(); batch < 1 << (size.pairsLog - BATCH_LOG); batch += peers.size()) {
            addBatch(batch);
        }
        peers.sum(sums);
        long nanos = System.nanoTime() - start;
        double pairs = 0;
        for (int annulus = 0; annulus < ANNULI; annulus++) {
            pairs += sums[2 + annulus];
        }
        return new NasResult(
                nanos,
                List.of(
                        new Check("sum of X", sums[0], size.sumX, TOLERANCE),
                        new Check("sum of Y", sums[1], size.sumY, TOLERANCE),
                        new Check("Gaussian pairs", pairs, size.gaussianPairs, 0)));
    }

    private void addBatch(int batch) {
        NasRandom random = new NasRandom(SEED);
        random.skip(2L * BATCH * batch);
        // Added up by batch: the sum of few large numbers loses less than that of many small ones.
        double sumX = 0;
        double sumY = 0;
        for (int i = 0; i < BATCH; i++) {
            double x = 2 * random.next() - 1;
            double y = 2 * random.next() - 1;
            double square = x * x + y * y;
            if (square <= 1) {
                double factor = Math.sqrt(-2 * Math.log(square) / square);
                double gaussX = x * factor;
                double gaussY = y * factor;
                sums[2 + (int) Math.max(Math.abs(gaussX), Math.abs(gaussY))]++;
                sumX += gaussX;
                sumY += gaussY;
            }
        }
        sums[0] += sumX;
        sums[1] += sumY;
    }
}
