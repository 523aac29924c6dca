package io.hyperverbs.lab.mpi;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProgramExit;
import io.hyperverbs.verbs.VerbsException;
import java.util.Arrays;
import java.util.Locale;
import mpi.MPI;
import mpi.MPIException;
import org.jspecify.annotations.Nullable;

/**
 * What messages cost between ranks 0 and 1, by length, from and to arrays and buffers of the guest's RAM, beside verbs
 * (SEND, RDMA write) in the same run and in turns: half a round trip, and bandwidth with 16 messages on their way. {@code
 * hv mpirun -n 2 mpi-perf}; {@link PerfLines} for programs.
 */
public final class MpiPerf {
    private static final int[] LATENCY_BYTES = {0, 8, 64, 1024, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 1 << 20};
    private static final int[] BANDWIDTH_BYTES = {4 << 10, 64 << 10, 256 << 10, 1 << 20};
    private static final int MOST_BYTES = 1 << 20;
    private static final int TURNS = 5;
    private static final int MILLIS = 30;
    private static final int USAGE = 2;

    private final MessageTimes times;
    private final int rank;

    /** One figure, measured once. */
    private interface Figure {
        double measure() throws MPIException, VerbsException;
    }

    private MpiPerf(VerbsPair verbs) throws MPIException {
        this.times = new MessageTimes(verbs, new TimedRounds(MPI.COMM_WORLD, MILLIS));
        this.rank = MPI.COMM_WORLD.getRank();
    }

    public static void main(String[] args) throws MPIException, VerbsException {
        PerfLines lines = null;
        if (args.length > 0) {
            try {
                lines = PerfLines.of(args);
            } catch (IllegalArgumentException e) {
                System.err.println("mpi-perf: " + e.getMessage());
                throw new ProgramExit(USAGE);
            }
        }
        MPI.Init(args);
        if (lines != null && !lines.isForTwo()) {
            lines.run();
        } else {
            runPair(lines);
        }
        MPI.Finalize();
    }

    private static void runPair(@Nullable PerfLines lines) throws MPIException, VerbsException {
        if (MPI.COMM_WORLD.getSize() != 2) {
            System.err.println("mpi-perf: is for two ranks; hv mpirun -n 2 mpi-perf");
            MPI.COMM_WORLD.abort(USAGE);
        }
        try (VerbsPair verbs = new VerbsPair(JobPlace.current(), Domain.current(), MessageTimes.WINDOW, MOST_BYTES)) {
            if (lines == null) {
                new MpiPerf(verbs).run();
            } else {
                lines.run(verbs);
            }
            MPI.COMM_WORLD.barrier();
        }
    }

    private void run() throws MPIException, VerbsException {
        print("half trip, us", "arrays", "RAM", "verbs send", "RAM / verbs");
        for (int bytes : LATENCY_BYTES) {
            Object array = new byte[bytes];
            Object ram = MPI.newByteBuffer(bytes);
            row(
                    bytes,
                    "%.2f",
                    () -> times.halfTrip(bytes, array),
                    () -> times.halfTrip(bytes, ram),
                    () -> times.verbsHalfTrip(bytes));
        }
        print("bandwidth, MiB/s", "arrays", "RAM", "verbs write", "RAM / verbs");
        Object[] buffers = new Object[MessageTimes.WINDOW];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = MPI.newByteBuffer(MOST_BYTES);
        }
        for (int bytes : BANDWIDTH_BYTES) {
            Object[] arrays = new byte[MessageTimes.WINDOW][bytes];
            row(
                    bytes,
                    "%.0f",
                    () -> times.bandwidth(bytes, arrays),
                    () -> times.bandwidth(bytes, buffers),
                    () -> times.verbsBandwidth(bytes));
        }
    }

    /** Measures in turns; prints medians, and of the last ratio, turn by turn, least and most too. */
    private void row(int bytes, String format, Figure... figures) throws MPIException, VerbsException {
        double[][] found = new double[figures.length + 1][TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            for (int i = 0; i < figures.length; i++) {
                found[i][turn] = figures[i].measure();
            }
            found[figures.length][turn] = found[figures.length - 2][turn] / found[figures.length - 1][turn];
        }
        String[] cells = new String[figures.length + 1];
        for (int i = 0; i <= figures.length; i++) {
            Arrays.sort(found[i]);
            cells[i] = String.format(Locale.ROOT, i < figures.length ? format : "%.2f", found[i][TURNS / 2]);
        }
        cells[figures.length] += String.format(
                Locale.ROOT, " (%.2f to %.2f)", found[figures.length][0], found[figures.length][TURNS - 1]);
        print(Integer.toString(bytes), cells);
    }

    private void print(String name, String... cells) {
        if (rank == 0) {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-16s", name));
            for (String cell : cells) {
                line.append(String.format(Locale.ROOT, " %12s", cell));
            }
            System.out.println(line);
        }
    }
}
