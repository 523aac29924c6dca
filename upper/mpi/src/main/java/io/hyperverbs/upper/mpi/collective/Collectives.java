package io.hyperverbs.upper.mpi.collective;

import io.hyperverbs.upper.mpi.data.ElementType;
import io.hyperverbs.upper.mpi.data.Reduction;
import io.hyperverbs.upper.mpi.error.MpiError;
import java.lang.foreign.MemorySegment;

/**
 * Operations by trees and by doubling, in a number of steps that grows with the logarithm of the members. All members
 * call the same ones in the same order; as messages of a pair do not overtake each other, one tag for each kind is
 * enough.
 */
public final class Collectives {
    private static final int BARRIER = 0;
    private static final int BROADCAST = 1;
    private static final int REDUCE = 2;
    private static final int SCAN = 3;

    private Collectives() {}

    /** Returns when all members have called it: in step k each gets a message of the one 2^k before it. */
    public static void barrier(Members members) throws MpiError {
        int size = members.size();
        for (int distance = 1; distance < size; distance *= 2) {
            int to = (members.own() + distance) % size;
            int from = (members.own() - distance + size) % size;
            var receive = members.beginReceive(from, BARRIER, MemorySegment.NULL);
            members.send(to, BARRIER, MemorySegment.NULL);
            members.end(receive);
        }
    }

    /** Brings the root's data to all, along a binomial tree. */
    public static void broadcast(Members members, MemorySegment data, int root) throws MpiError {
        int size = members.size();
        int place = (members.own() - root + size) % size;
        int below = 1;
        // The lowest bit set names the parent: it has this place without it.
        while (below < size && (place & below) == 0) {
            below *= 2;
        }
        if (place != 0) {
            members.receive((place - below + root) % size, BROADCAST, data);
        }
        for (int child = below / 2; child > 0; child /= 2) {
            if (place + child < size) {
                members.send((place + child + root) % size, BROADCAST, data);
            }
        }
    }

    /**
     * Combines the data of all at the root, along a binomial tree.
     *
     * @param data this member's; the root's has the result afterwards, others' are not defined
     */
    public static void reduce(Members members, MemorySegment data, ElementType type, Reduction operation, int root)
            throws MpiError {
        operation.check(type);
        int size = members.size();
        int place = (members.own() - root + size) % size;
        MemorySegment other = MemorySegment.ofArray(new byte[Math.toIntExact(data.byteSize())]);
        for (int child = 1; child < size; child *= 2) {
            if ((place & child) != 0) {
                members.send((place - child + root) % size, REDUCE, data);
                return;
            }
            if (place + child < size) {
                members.receive((place + child + root) % size, REDUCE, other);
                operation.into(data, other, type);
            }
        }
    }

    /** As {@link #reduce}, with the same result at all. */
    public static void allReduce(Members members, MemorySegment data, ElementType type, Reduction operation)
            throws MpiError {
        reduce(members, data, type, operation, 0);
        broadcast(members, data, 0);
    }

    /** Combines the data of all members up to this one. */
    public static void scan(Members members, MemorySegment data, ElementType type, Reduction operation)
            throws MpiError {
        operation.check(type);
        if (members.own() > 0) {
            MemorySegment before = MemorySegment.ofArray(new byte[Math.toIntExact(data.byteSize())]);
            members.receive(members.own() - 1, SCAN, before);
            operation.into(data, before, type);
        }
        if (members.own() + 1 < members.size()) {
            members.send(members.own() + 1, SCAN, data);
        }
    }
}
