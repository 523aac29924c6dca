package io.hyperverbs.lab.mpi;

import io.hyperverbs.upper.mpi.progress.LongTransfer;
import io.hyperverbs.verbs.ProgramExit;
import mpi.MPI;
import mpi.MPIException;

/**
 * Checks what MPI promises: {@code hv mpirun -n 8 mpi-check [MESSAGES [SEED [read|write]]]}. Cases first, then so many
 * random messages of all ranks together; long ones are read by their receivers, or written by their senders. Exit code 1
 * if anything differs.
 */
public final class MpiCheck {
    private static final int USAGE = 2;
    private static final int TRANSFER = 2;
    private static final String READ = "read";
    private static final String WRITE = "write";
    private static final int STANDARD_MESSAGES = 20_000;

    private MpiCheck() {}

    public static void main(String[] args) throws MPIException {
        int messages = (int) number(args, 0, STANDARD_MESSAGES);
        long seed = number(args, 1, 1);
        LongTransfer.choose(transfer(args));
        MPI.Init(args);
        boolean speaks = MPI.COMM_WORLD.getRank() == 0;
        int cases = CaseRun.run(new MessageCases(), new CollectiveCases());
        if (speaks) {
            System.out.println("mpi-check: " + cases + " cases pass on " + MPI.COMM_WORLD.getSize() + " ranks");
        }
        double start = MPI.wtime();
        long checked = new RandomTraffic(seed, messages).run();
        long[] all = {checked};
        MPI.COMM_WORLD.allReduce(all, 1, MPI.LONG, MPI.SUM);
        if (speaks) {
            System.out.printf(
                    "mpi-check: %d random messages, 0 differences, seed %d, %.1f s%n",
                    all[0], seed, MPI.wtime() - start);
        }
        MPI.Finalize();
    }

    private static LongTransfer transfer(String[] args) {
        String word = args.length > TRANSFER ? args[TRANSFER] : READ;
        if (!word.equals(READ) && !word.equals(WRITE)) {
            throw refused("'" + word + "' is neither read nor write");
        }
        return word.equals(WRITE) ? LongTransfer.WRITE : LongTransfer.READ;
    }

    private static ProgramExit refused(String why) {
        System.err.println("mpi-check: " + why + "; usage: mpi-check [MESSAGES [SEED [read|write]]]");
        return new ProgramExit(USAGE);
    }

    private static long number(String[] args, int index, long standard) {
        if (args.length <= index) {
            return standard;
        }
        if (!args[index].matches("[0-9]{1,9}")) {
            throw refused("'" + args[index] + "' is no number");
        }
        return Long.parseLong(args[index]);
    }
}
