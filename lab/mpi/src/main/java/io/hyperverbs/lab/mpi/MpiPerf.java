package io.hyperverbs.lab.mpi;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import java.util.Arrays;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * What messages cost between ranks 0 and 1, by length, from and to arrays and buffers of the guest's RAM, beside verbs
 * (SEND, RDMA write) in the same run and in turns: half a round trip, and bandwidth with 16 messages on their way. {@code
 * hv mpirun -n 2 mpi-perf}.
 */
public final class MpiPerf {
    private static final int[] LATENCY_BYTES = {0, 8, 64, 1024, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 1 << 20};
    private static final int[] BANDWIDTH_BYTES = {4 << 10, 64 << 10, 256 << 10, 1 << 20};
    private static final int MOST_BYTES = 1 << 20;
    private static final int WINDOW = 16;
    private static final int TURNS = 5;
    private static final int MOST_ROUNDS = 5_000;
    private static final long ROUNDS_BYTES = 64L << 20;
    private static final double MICROS = 1e6;
    private static final double MIB = 1 << 20;

    private final Intracomm world = MPI.COMM_WORLD;
    private final VerbsPair verbs;
    private final int rank;

    /** One figure, measured once. */
    private interface Figure {
        double measure() throws MPIException, VerbsException;
    }

    /** One round trip of a message. */
    private interface RoundTrip {
        void run() throws MPIException, VerbsException;
    }

    private MpiPerf(VerbsPair verbs) throws MPIException {
        this.verbs = verbs;
        this.rank = world.getRank();
    }

    public static void main(String[] args) throws MPIException, VerbsException {
        MPI.Init(args);
        if (MPI.COMM_WORLD.getSize() != 2) {
            System.err.println("mpi-perf: is for two ranks; hv mpirun -n 2 mpi-perf");
            MPI.COMM_WORLD.abort(2);
        }
        try (VerbsPair verbs = new VerbsPair(JobPlace.current(), Domain.current(), WINDOW, MOST_BYTES)) {
            new MpiPerf(verbs).run();
            MPI.COMM_WORLD.barrier();
        }
        MPI.Finalize();
    }

    private void run() throws MPIException, VerbsException {
        print("half trip, us", "arrays", "RAM", "verbs send", "RAM / verbs");
        for (int bytes : LATENCY_BYTES) {
            Object array = new byte[bytes];
            Object ram = MPI.newByteBuffer(bytes);
            row(bytes, "%.2f", () -> latency(bytes, array), () -> latency(bytes, ram), () -> verbsLatency(bytes));
        }
        print("bandwidth, MiB/s", "arrays", "RAM", "verbs write", "RAM / verbs");
        Object[] buffers = new Object[WINDOW];
        for (int i = 0; i < WINDOW; i++) {
            buffers[i] = MPI.newByteBuffer(MOST_BYTES);
        }
        for (int bytes : BANDWIDTH_BYTES) {
            Object[] arrays = new byte[WINDOW][bytes];
            row(
                    bytes,
                    "%.0f",
                    () -> bandwidth(bytes, arrays),
                    () -> bandwidth(bytes, buffers),
                    () -> verbsBandwidth(bytes));
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

    private double latency(int bytes, Object data) throws MPIException, VerbsException {
        int other = 1 - rank;
        return halfTrip(bytes, () -> {
            if (rank == 0) {
                world.send(data, bytes, MPI.BYTE, other, 0);
                world.recv(data, bytes, MPI.BYTE, other, 0);
            } else {
                world.recv(data, bytes, MPI.BYTE, other, 0);
                world.send(data, bytes, MPI.BYTE, other, 0);
            }
        });
    }

    private double verbsLatency(int bytes) throws MPIException, VerbsException {
        return halfTrip(bytes, () -> verbs.roundTrip(bytes));
    }

    /** Median of half a round trip, in us; the first half of the rounds warms up. */
    private double halfTrip(int bytes, RoundTrip trip) throws MPIException, VerbsException {
        double[] times = new double[Math.clamp(ROUNDS_BYTES / Math.max(1, bytes), 200, MOST_ROUNDS)];
        world.barrier();
        for (int i = 0; i < times.length; i++) {
            double start = MPI.wtime();
            trip.run();
            times[i] = MPI.wtime() - start;
        }
        double[] timed = Arrays.copyOfRange(times, times.length / 2, times.length);
        Arrays.sort(timed);
        return timed[timed.length / 2] / 2 * MICROS;
    }

    /** MiB/s of the second half of the rounds. */
    private double bandwidth(int bytes, Object[] data) throws MPIException {
        int rounds = Math.clamp(ROUNDS_BYTES / bytes / WINDOW, 4, MOST_ROUNDS / WINDOW);
        double start = 0;
        for (int round = 0; round < 2 * rounds; round++) {
            if (round == rounds) {
                world.barrier();
                start = MPI.wtime();
            }
            Request[] requests = new Request[WINDOW];
            for (int i = 0; i < WINDOW; i++) {
                requests[i] = rank == 0
                        ? world.iSend(data[i], bytes, MPI.BYTE, 1, 0)
                        : world.iRecv(data[i], bytes, MPI.BYTE, 0, 0);
            }
            Request.waitAll(requests);
        }
        world.barrier();
        return (double) rounds * WINDOW * bytes / MIB / (MPI.wtime() - start);
    }

    private double verbsBandwidth(int bytes) throws MPIException, VerbsException {
        int rounds = Math.clamp(ROUNDS_BYTES / bytes / WINDOW, 4, MOST_ROUNDS / WINDOW);
        double start = 0;
        world.barrier();
        for (int round = 0; round < 2 * rounds; round++) {
            if (round == rounds) {
                start = MPI.wtime();
            }
            verbs.writeWindow(bytes);
        }
        double seconds = MPI.wtime() - start;
        world.barrier();
        return (double) rounds * WINDOW * bytes / MIB / seconds;
    }
}
