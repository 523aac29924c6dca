package io.hyperverbs.lab.nas;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** The ranks of an MPI job. */
public final class MpiPeers implements RankPeers {
    private static final int TAG = 1;

    private final Intracomm ranks;
    private final int rank;
    private final int size;

    public MpiPeers(Intracomm ranks) throws MPIException {
        this.ranks = ranks;
        this.rank = ranks.getRank();
        this.size = ranks.getSize();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void sum(double[] values) {
        call(() -> ranks.allReduce(values, values.length, MPI.DOUBLE, MPI.SUM));
    }

    @Override
    public void sum(int[] values) {
        call(() -> ranks.allReduce(values, values.length, MPI.INT, MPI.SUM));
    }

    @Override
    public void allGather(double[] mine, double[] all) {
        call(() -> ranks.allGather(mine, mine.length, MPI.DOUBLE, all, mine.length, MPI.DOUBLE));
    }

    @Override
    public void allToAll(double[] send, double[] receive) {
        int block = send.length / size;
        call(() -> ranks.allToAll(send, block, MPI.DOUBLE, receive, block, MPI.DOUBLE));
    }

    @Override
    public int[] allToAllv(int[] send, int[] counts) {
        int[] others = new int[size];
        call(() -> ranks.allToAll(counts, 1, MPI.INT, others, 1, MPI.INT));
        int[] from = starts(counts);
        int[] to = starts(others);
        int[] receive = new int[to[size - 1] + others[size - 1]];
        call(() -> ranks.allToAllv(send, counts, from, MPI.INT, receive, others, to, MPI.INT));
        return receive;
    }

    @Override
    public void shift(double[] send, int to, double[] receive, int from) {
        call(() ->
                ranks.sendRecv(send, send.length, MPI.DOUBLE, to, TAG, receive, receive.length, MPI.DOUBLE, from, TAG));
    }

    private static int[] starts(int[] counts) {
        int[] starts = new int[counts.length];
        for (int i = 1; i < counts.length; i++) {
            starts[i] = starts[i - 1] + counts[i - 1];
        }
        return starts;
    }

    private static void call(MpiCall call) {
        try {
            call.run();
        } catch (MPIException e) {
            throw new LostPeers(e);
        }
    }

    private interface MpiCall {
        void run() throws MPIException;
    }
}
