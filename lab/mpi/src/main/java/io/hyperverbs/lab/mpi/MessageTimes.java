package io.hyperverbs.lab.mpi;

import io.hyperverbs.verbs.VerbsException;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * What messages cost between ranks 0 and 1, beside plain verbs. Both ranks call each method, with a buffer of their own;
 * one thread of each.
 */
final class MessageTimes {
    /** Messages on their way where bandwidth is measured. */
    static final int WINDOW = 16;

    private static final double MICROS = 1e6;
    private static final double MIB = 1 << 20;

    private final Intracomm world = MPI.COMM_WORLD;
    private final VerbsPair verbs;
    private final TimedRounds rounds;
    private final int rank;

    MessageTimes(VerbsPair verbs, TimedRounds rounds) throws MPIException {
        this.verbs = verbs;
        this.rounds = rounds;
        this.rank = world.getRank();
    }

    /** Median of half a round trip, in us. */
    double halfTrip(int bytes, Object data) throws MPIException, VerbsException {
        int other = 1 - rank;
        double trip = rounds.median(() -> {
            if (rank == 0) {
                world.send(data, bytes, MPI.BYTE, other, 0);
                world.recv(data, bytes, MPI.BYTE, other, 0);
            } else {
                world.recv(data, bytes, MPI.BYTE, other, 0);
                world.send(data, bytes, MPI.BYTE, other, 0);
            }
        });
        return trip / 2 * MICROS;
    }

    /** The same by SEND. */
    double verbsHalfTrip(int bytes) throws MPIException, VerbsException {
        return rounds.median(() -> verbs.roundTrip(bytes)) / 2 * MICROS;
    }

    /**
     * Messages a second from rank 0 to rank 1.
     *
     * @param data a buffer for each message on its way
     */
    double rate(int bytes, Object[] data) throws MPIException, VerbsException {
        return data.length
                / rounds.mean(() -> {
                    Request[] requests = new Request[data.length];
                    for (int i = 0; i < data.length; i++) {
                        requests[i] = rank == 0
                                ? world.iSend(data[i], bytes, MPI.BYTE, 1, 0)
                                : world.iRecv(data[i], bytes, MPI.BYTE, 0, 0);
                    }
                    Request.waitAll(requests);
                });
    }

    /** MiB/s from rank 0 to rank 1. */
    double bandwidth(int bytes, Object[] data) throws MPIException, VerbsException {
        return rate(bytes, data) * bytes / MIB;
    }

    /** MiB/s where both ranks send at the same time, the sum of both. */
    double bothWays(int bytes, Object[] sent, Object[] received) throws MPIException, VerbsException {
        int other = 1 - rank;
        double seconds = rounds.mean(() -> {
            Request[] requests = new Request[sent.length + received.length];
            for (int i = 0; i < received.length; i++) {
                requests[i] = world.iRecv(received[i], bytes, MPI.BYTE, other, 0);
            }
            for (int i = 0; i < sent.length; i++) {
                requests[received.length + i] = world.iSend(sent[i], bytes, MPI.BYTE, other, 0);
            }
            Request.waitAll(requests);
        });
        return 2.0 * sent.length * bytes / MIB / seconds;
    }

    /** MiB/s of RDMA writes from rank 0 to rank 1, {@link #WINDOW} at a time. */
    double verbsBandwidth(int bytes) throws MPIException, VerbsException {
        return (double) WINDOW * bytes / MIB / rounds.mean(() -> verbs.writeWindow(bytes));
    }
}
