package io.hyperverbs.upper.mpi.collective;

import io.hyperverbs.upper.mpi.data.ElementType;
import io.hyperverbs.upper.mpi.data.Reduction;
import io.hyperverbs.upper.mpi.error.MpiError;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Makes communicators out of others (MPI 3.1 §6.4.2). */
public final class Splitting {
    private Splitting() {}

    /** The same members with a context of their own. All members call it. */
    public static Members duplicate(Members members) throws MpiError {
        return new Members(members.progress(), allRanks(members), freeContext(members));
    }

    /**
     * Those with the same colour, in the order of their keys; of equal keys, in the old order. All members call it.
     *
     * @param color negative: this rank is in none
     */
    public static Optional<Members> split(Members members, int color, int key) throws MpiError {
        int[] own = {color, key};
        int[] all = new int[2 * members.size()];
        MemorySegment into = MemorySegment.ofArray(all);
        long each = 2L * Integer.BYTES;
        Exchanges.allGather(members, MemorySegment.ofArray(own), member -> into.asSlice(member * each, each));
        int context = freeContext(members);
        if (color < 0) {
            return Optional.empty();
        }
        List<Integer> ranks = IntStream.range(0, members.size())
                .filter(member -> all[2 * member] == color)
                .boxed()
                .sorted(Comparator.comparingInt(member -> all[2 * member + 1]))
                .map(members::inJob)
                .toList();
        return Optional.of(new Members(members.progress(), ranks, context));
    }

    /** A number that none of the members has given away; groups that share no member may have the same. */
    private static int freeContext(Members members) throws MpiError {
        int[] next = {members.progress().nextContext()};
        Collectives.allReduce(members, MemorySegment.ofArray(next), ElementType.INT, Reduction.MAX);
        members.progress().takeContext(next[0]);
        return next[0];
    }

    private static List<Integer> allRanks(Members members) {
        return IntStream.range(0, members.size()).mapToObj(members::inJob).toList();
    }
}
