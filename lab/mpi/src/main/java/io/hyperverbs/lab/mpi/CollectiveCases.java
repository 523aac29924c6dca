package io.hyperverbs.lab.mpi;

import java.util.Arrays;
import java.util.Random;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;

/** Operations of all ranks, with data that each rank can work out for all others. */
final class CollectiveCases {
    private static final int[] COUNTS = {0, 1, 3, 1000, 20_000};

    private final Intracomm world = MPI.COMM_WORLD;

    /** What a rank begins with. */
    private static int[] data(int rank, int count) {
        return new Random(1000L * rank + count).ints(count, -1000, 1000).toArray();
    }

    @RankCase("5.4")
    void bcastFromEachRoot() throws MPIException {
        for (int root = 0; root < world.getSize(); root++) {
            for (int count : COUNTS) {
                int[] all = world.getRank() == root ? data(root, count) : new int[count];
                world.bcast(all, count, MPI.INT, root);
                Difference.expect(true, Arrays.equals(data(root, count), all), "data of " + root);
            }
        }
    }

    /** What two numbers become. */
    @FunctionalInterface
    private interface Combine {
        long of(long one, long other);
    }

    private long[] combined(int count, int upTo, Combine combine) {
        long[] result = Arrays.stream(data(0, count)).asLongStream().toArray();
        for (int rank = 1; rank <= upTo; rank++) {
            int[] other = data(rank, count);
            for (int i = 0; i < count; i++) {
                result[i] = combine.of(result[i], other[i]);
            }
        }
        return result;
    }

    private void reduces(Op op, Combine combine) throws MPIException {
        int last = world.getSize() - 1;
        for (int count : COUNTS) {
            long[] own =
                    Arrays.stream(data(world.getRank(), count)).asLongStream().toArray();
            long[] all = new long[count];
            world.allReduce(own, all, count, MPI.LONG, op);
            Difference.expect(true, Arrays.equals(combined(count, last, combine), all), op + " of " + count);
            for (int root = 0; root <= last; root++) {
                long[] atRoot = world.getRank() == root ? new long[count] : null;
                world.reduce(own, atRoot, count, MPI.LONG, op, root);
                Difference.expect(
                        true,
                        atRoot == null || Arrays.equals(combined(count, last, combine), atRoot),
                        op + " at " + root);
            }
            world.scan(own, all, count, MPI.LONG, op);
            Difference.expect(
                    true, Arrays.equals(combined(count, world.getRank(), combine), all), "scan " + op + " of " + count);
        }
    }

    @RankCase("5.9")
    void integersAreReduced() throws MPIException {
        reduces(MPI.SUM, Long::sum);
        reduces(MPI.MAX, Math::max);
        reduces(MPI.MIN, Math::min);
        reduces(MPI.BXOR, (one, other) -> one ^ other);
        reduces(MPI.BAND, (one, other) -> one & other);
        reduces(MPI.BOR, (one, other) -> one | other);
    }

    @RankCase("5.9.2")
    void typesKeepTheirWidth() throws MPIException {
        int size = world.getSize();
        byte[] bytes = {100};
        world.allReduce(bytes, 1, MPI.BYTE, MPI.SUM);
        Difference.expect((byte) (100 * size), bytes[0], "byte");
        short[] shorts = {30_000};
        world.allReduce(shorts, 1, MPI.SHORT, MPI.SUM);
        Difference.expect((short) (30_000 * size), shorts[0], "short");
        int[] ints = {Integer.MAX_VALUE};
        world.allReduce(ints, 1, MPI.INT, MPI.SUM);
        Difference.expect(Integer.MAX_VALUE * size, ints[0], "int");
        float[] floats = {0.5f};
        world.allReduce(floats, 1, MPI.FLOAT, MPI.SUM);
        Difference.expect(0.5f * size, floats[0], "float");
        double[] doubles = {2};
        world.allReduce(doubles, 1, MPI.DOUBLE, MPI.PROD);
        Difference.expect(Math.pow(2, size), doubles[0], "double");
        int[] truth = {world.getRank()};
        world.allReduce(truth, 1, MPI.INT, MPI.LAND);
        Difference.expect(size == 1 && world.getRank() != 0 ? 1 : 0, truth[0], "and");
    }

    @RankCase("5.5")
    void gatherAndScatterAtEachRoot() throws MPIException {
        int size = world.getSize();
        for (int root = 0; root < size; root++) {
            for (int count : COUNTS) {
                boolean isRoot = world.getRank() == root;
                int[] own = data(world.getRank(), count);
                int[] all = isRoot ? new int[size * count] : null;
                world.gather(own, count, MPI.INT, all, count, MPI.INT, root);
                if (all != null) {
                    Difference.expect(true, Arrays.equals(concatenated(count), all), "gather at " + root);
                }
                int[] back = new int[count];
                world.scatter(all, count, MPI.INT, back, count, MPI.INT, root);
                Difference.expect(true, Arrays.equals(own, back), "scatter from " + root);
            }
        }
    }

    private int[] concatenated(int count) throws MPIException {
        int[] all = new int[world.getSize() * count];
        for (int rank = 0; rank < world.getSize(); rank++) {
            System.arraycopy(data(rank, count), 0, all, rank * count, count);
        }
        return all;
    }

    @RankCase("5.7")
    void allGatherGivesAllToAll() throws MPIException {
        for (int count : COUNTS) {
            int[] all = new int[world.getSize() * count];
            world.allGather(data(world.getRank(), count), count, MPI.INT, all, count, MPI.INT);
            Difference.expect(true, Arrays.equals(concatenated(count), all), "count " + count);
        }
    }

    @RankCase("5.8")
    void allToAllTransposes() throws MPIException {
        int size = world.getSize();
        int rank = world.getRank();
        for (int count : COUNTS) {
            int[] out = new int[size * count];
            int[] in = new int[size * count];
            for (int i = 0; i < out.length; i++) {
                out[i] = rank * 1_000_000 + i;
            }
            world.allToAll(out, count, MPI.INT, in, count, MPI.INT);
            for (int i = 0; i < in.length; i++) {
                Difference.expect(i / count * 1_000_000 + rank * count + i % count, in[i], "place " + i);
            }
        }
    }

    @RankCase("5.8")
    void allToAllvHasCountsOfItsOwn() throws MPIException {
        int size = world.getSize();
        int rank = world.getRank();
        // Rank i sends i + j + 1 numbers to rank j.
        int[] counts = new int[size];
        int[] places = new int[size];
        for (int other = 0; other < size; other++) {
            counts[other] = rank + other + 1;
            places[other] = other == 0 ? 0 : places[other - 1] + counts[other - 1];
        }
        int total = places[size - 1] + counts[size - 1];
        double[] out = new double[total];
        double[] in = new double[total];
        for (int other = 0; other < size; other++) {
            Arrays.fill(out, places[other], places[other] + counts[other], rank * 100 + other);
        }
        world.allToAllv(out, counts, places, MPI.DOUBLE, in, counts, places, MPI.DOUBLE);
        for (int other = 0; other < size; other++) {
            for (int i = 0; i < counts[other]; i++) {
                Difference.expect((double) (other * 100 + rank), in[places[other] + i], "of " + other);
            }
        }
    }

    @RankCase("5.5")
    void gathervHasCountsOfItsOwn() throws MPIException {
        int size = world.getSize();
        int rank = world.getRank();
        int[] counts = new int[size];
        int[] places = new int[size];
        for (int other = 0; other < size; other++) {
            counts[other] = other % 3;
            places[other] = other == 0 ? 0 : places[other - 1] + counts[other - 1];
        }
        int total = places[size - 1] + counts[size - 1];
        Datatype type = MPI.INT;
        int[] all = new int[total];
        world.allGatherv(data(rank, 2), rank % 3, type, all, counts, places, type);
        int[] atRoot = rank == 0 ? new int[total] : null;
        world.gatherv(data(rank, 2), rank % 3, type, atRoot, counts, places, type, 0);
        for (int other = 0; other < size; other++) {
            for (int i = 0; i < counts[other]; i++) {
                Difference.expect(data(other, 2)[i], all[places[other] + i], "of " + other);
            }
        }
        Difference.expect(true, atRoot == null || Arrays.equals(all, atRoot), "gatherv");
    }

    @RankCase("6.4.2")
    void splitOrdersByKey() throws MPIException {
        int size = world.getSize();
        int rank = world.getRank();
        Intracomm half = world.split(rank % 2, -rank);
        if (half == null) {
            throw new Difference("no communicator");
        }
        int members = (size + 1 - rank % 2) / 2;
        Difference.expect(members, half.getSize(), "size");
        Difference.expect(members - 1 - rank / 2, half.getRank(), "rank");
        int[] sum = {rank};
        half.allReduce(sum, 1, MPI.INT, MPI.SUM);
        int expected = 0;
        for (int other = rank % 2; other < size; other += 2) {
            expected += other;
        }
        Difference.expect(expected, sum[0], "sum");
        Difference.expect(true, world.split(MPI.UNDEFINED, 0) == null, "of no colour");
        half.free();
    }
}
