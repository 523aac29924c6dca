package io.hyperverbs.lab.nas;

import io.hyperverbs.verbs.ProgramExit;
import mpi.MPI;
import mpi.MPIException;

/**
 * {@code nas KERNEL CLASS [ROUNDS|warm]}, as a rank of an MPI job: rank 0 prints what was measured, and whether the values
 * of each round are those published. Exit codes: 0 verified, 1 not verified or a rank lost, 2 usage.
 */
public final class NasProgram {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private NasProgram() {}

    public static void main(String[] args) {
        int code;
        try {
            String[] left = MPI.Init(args);
            code = code(left, new MpiPeers(MPI.COMM_WORLD), Runtime.getRuntime().maxMemory());
            MPI.Finalize();
        } catch (MPIException | LostPeers e) {
            System.err.println("nas: " + e.getMessage());
            code = FAILED;
        }
        if (code != 0) {
            throw new ProgramExit(code);
        }
    }

    /** Runs what is asked for; rank 0 says how it went. @return the exit code, the same in all ranks */
    static int code(String[] args, RankPeers peers, long heapBytes) {
        NasJob job;
        String refusal;
        try {
            job = NasJob.of(args);
            refusal = job.refusal(peers.size(), heapBytes);
        } catch (IllegalArgumentException e) {
            return refused(String.valueOf(e.getMessage()), peers);
        }
        if (!refusal.isEmpty()) {
            return refused(refusal, peers);
        }
        KernelRounds.Outcome outcome = job.run(peers);
        if (peers.rank() == 0) {
            System.out.print(job.report(outcome, peers.size()));
        }
        return NasJob.isVerified(outcome.results()) ? 0 : FAILED;
    }

    private static int refused(String why, RankPeers peers) {
        if (peers.rank() == 0) {
            System.err.println("nas: " + why);
        }
        return USAGE;
    }
}
