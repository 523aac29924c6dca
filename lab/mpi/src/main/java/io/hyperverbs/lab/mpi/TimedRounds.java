package io.hyperverbs.lab.mpi;

import io.hyperverbs.verbs.VerbsException;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * Repeats what all ranks do together, first to warm up, for half of its time, and then for about that time: rank 0 says
 * how often. All ranks call each method; one thread of each.
 */
final class TimedRounds {
    private static final int FIRST = 4;
    private static final int LEAST = 8;
    private static final int MOST = 20_000;
    private static final double MILLIS = 1e3;

    private final Intracomm ranks;
    private final double seconds;

    /** What is done once. */
    interface Step {
        void run() throws MPIException, VerbsException;
    }

    /**
     * @param millis how long what is timed takes, about; steps that take long are done 8 times all the same
     */
    TimedRounds(Intracomm ranks, int millis) {
        this.ranks = ranks;
        this.seconds = millis / MILLIS;
    }

    /** The median, in seconds of this rank. */
    double median(Step step) throws MPIException, VerbsException {
        double[] times = new double[warm(step)];
        ranks.barrier();
        for (int i = 0; i < times.length; i++) {
            double start = MPI.wtime();
            step.run();
            times[i] = MPI.wtime() - start;
        }
        Arrays.sort(times);
        return times[times.length / 2];
    }

    /** The mean, in seconds, from the first step to when all ranks are through. */
    double mean(Step step) throws MPIException, VerbsException {
        int times = warm(step);
        return repeat(step, times) / times;
    }

    /** Warms up; how often the step goes into the time then. */
    private int warm(Step step) throws MPIException, VerbsException {
        int times = agree(seconds / 2 * FIRST / repeat(step, FIRST));
        return agree(seconds * times / repeat(step, times));
    }

    private double repeat(Step step, int times) throws MPIException, VerbsException {
        ranks.barrier();
        double start = MPI.wtime();
        for (int i = 0; i < times; i++) {
            step.run();
        }
        ranks.barrier();
        return MPI.wtime() - start;
    }

    private int agree(double own) throws MPIException {
        int[] times = {Math.clamp((long) own, LEAST, MOST)};
        ranks.bcast(times, 1, MPI.INT, 0);
        return times[0];
    }
}
