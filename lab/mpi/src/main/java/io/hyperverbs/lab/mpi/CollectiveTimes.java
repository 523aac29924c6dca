package io.hyperverbs.lab.mpi;

import io.hyperverbs.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * What operations of all ranks cost, in us: the median of many in a row, as rank 0 sees them. All ranks call each method;
 * one thread of each.
 */
final class CollectiveTimes {
    private static final double MICROS = 1e6;

    private final Intracomm world = MPI.COMM_WORLD;
    private final TimedRounds rounds;
    private final int size;

    CollectiveTimes(TimedRounds rounds) throws MPIException {
        this.rounds = rounds;
        this.size = world.getSize();
    }

    double barrier() throws MPIException, VerbsException {
        return rounds.median(world::barrier) * MICROS;
    }

    /** Each rank is the root in turn: a root that sends again and again would not wait for the others. */
    double bcast(int bytes) throws MPIException, VerbsException {
        ByteBuffer data = MPI.newByteBuffer(bytes);
        return rounds.median(() -> {
                    for (int root = 0; root < size; root++) {
                        world.bcast(data, bytes, MPI.BYTE, root);
                    }
                })
                / size
                * MICROS;
    }

    /**
     * Sums of doubles.
     *
     * @param bytes a multiple of 8
     */
    double allReduce(int bytes) throws MPIException, VerbsException {
        int count = bytes / Double.BYTES;
        DoubleBuffer data = MPI.newDoubleBuffer(count);
        return rounds.median(() -> world.allReduce(data, count, MPI.DOUBLE, MPI.SUM)) * MICROS;
    }

    /**
     * A block from each rank to each.
     *
     * @param bytes of a block
     */
    double allToAll(int bytes) throws MPIException, VerbsException {
        ByteBuffer sent = MPI.newByteBuffer(bytes * size);
        ByteBuffer received = MPI.newByteBuffer(bytes * size);
        return rounds.median(() -> world.allToAll(sent, bytes, MPI.BYTE, received, bytes, MPI.BYTE)) * MICROS;
    }
}
