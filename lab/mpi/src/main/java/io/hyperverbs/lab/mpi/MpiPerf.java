package io.hyperverbs.lab.mpi;

import java.util.Arrays;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * What messages cost between ranks 0 and 1, by length, from and to arrays and buffers of the guest's RAM: half a round
 * trip, and bandwidth with 16 messages on their way. {@code hv mpirun -n 2 mpi-perf}.
 */
public final class MpiPerf {
    private static final int[] LATENCY_BYTES = {0, 8, 64, 1024, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 1 << 20};
    private static final int[] BANDWIDTH_BYTES = {4 << 10, 64 << 10, 256 << 10, 1 << 20};
    private static final int WINDOW = 16;
    private static final int MOST_ROUNDS = 20_000;
    private static final long ROUNDS_BYTES = 256L << 20;
    private static final double MICROS = 1e6;
    private static final double MIB = 1 << 20;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank;

    private MpiPerf() throws MPIException {
        rank = world.getRank();
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        if (MPI.COMM_WORLD.getSize() != 2) {
            System.err.println("mpi-perf: is for two ranks; hv mpirun -n 2 mpi-perf");
            MPI.COMM_WORLD.abort(2);
        }
        new MpiPerf().run();
        MPI.Finalize();
    }

    private void run() throws MPIException {
        print(String.format(Locale.ROOT, "%-12s %10s %14s %14s", "", "bytes", "from arrays", "from RAM"));
        for (int bytes : LATENCY_BYTES) {
            double arrays = latency(bytes, new byte[bytes]);
            double ram = latency(bytes, MPI.newByteBuffer(bytes));
            print(String.format(Locale.ROOT, "half trip    %10d %11.2f us %11.2f us", bytes, arrays, ram));
        }
        for (int bytes : BANDWIDTH_BYTES) {
            double arrays = bandwidth(bytes, new byte[WINDOW][bytes]);
            Object[] buffers = new Object[WINDOW];
            for (int i = 0; i < WINDOW; i++) {
                buffers[i] = MPI.newByteBuffer(bytes);
            }
            double ram = bandwidth(bytes, buffers);
            print(String.format(Locale.ROOT, "bandwidth    %10d %8.0f MiB/s %8.0f MiB/s", bytes, arrays, ram));
        }
    }

    private void print(String line) {
        if (rank == 0) {
            System.out.println(line);
        }
    }

    /** Median of half a round trip, in us; the first half of the rounds warms up. */
    private double latency(int bytes, Object data) throws MPIException {
        int rounds = Math.clamp(ROUNDS_BYTES / Math.max(1, bytes), 200, MOST_ROUNDS);
        double[] times = new double[rounds];
        int other = 1 - rank;
        world.barrier();
        for (int i = 0; i < rounds; i++) {
            double start = MPI.wtime();
            if (rank == 0) {
                world.send(data, bytes, MPI.BYTE, other, 0);
                world.recv(data, bytes, MPI.BYTE, other, 0);
            } else {
                world.recv(data, bytes, MPI.BYTE, other, 0);
                world.send(data, bytes, MPI.BYTE, other, 0);
            }
            times[i] = MPI.wtime() - start;
        }
        double[] timed = Arrays.copyOfRange(times, rounds / 2, rounds);
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
}
