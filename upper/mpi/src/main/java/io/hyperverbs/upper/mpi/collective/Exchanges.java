package io.hyperverbs.upper.mpi.collective;

import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.progress.MessageOperation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Operations in which members give each other parts of their own. As {@link Collectives}. */
public final class Exchanges {
    private static final int GATHER = 16;
    private static final int SCATTER = 17;
    private static final int ALL_TO_ALL = 18;
    private static final int ALL_GATHER = 19;

    private Exchanges() {}

    /** The part of a buffer that is for, or of, one member. */
    @FunctionalInterface
    public interface Parts {
        MemorySegment of(int member) throws MpiError;
    }

    /**
     * Brings the data of all to the root.
     *
     * @param into where the data of each goes; asked at the root alone
     */
    public static void gather(Members members, MemorySegment data, Parts into, int root) throws MpiError {
        if (members.own() != root) {
            members.send(root, GATHER, data);
            return;
        }
        List<MessageOperation> receives = new ArrayList<>();
        for (int member = 0; member < members.size(); member++) {
            if (member != root) {
                receives.add(members.beginReceive(member, GATHER, into.of(member)));
            }
        }
        copy(data, into.of(root));
        endAll(members, receives);
    }

    /**
     * Brings each member its part of the root's data.
     *
     * @param from the part of each; asked at the root alone
     */
    public static void scatter(Members members, Parts from, MemorySegment data, int root) throws MpiError {
        if (members.own() != root) {
            members.receive(root, SCATTER, data);
            return;
        }
        List<MessageOperation> sends = new ArrayList<>();
        for (int member = 0; member < members.size(); member++) {
            if (member != root) {
                sends.add(members.begin(member, SCATTER, from.of(member)));
            }
        }
        copy(from.of(root), data);
        endAll(members, sends);
    }

    /** Brings the data of all to all: in each of size - 1 steps every member hands on what it got last, in a ring. */
    public static void allGather(Members members, MemorySegment data, Parts into) throws MpiError {
        int size = members.size();
        int own = members.own();
        copy(data, into.of(own));
        int next = (own + 1) % size;
        int before = (own - 1 + size) % size;
        for (int step = 0; step < size - 1; step++) {
            MessageOperation receive =
                    members.beginReceive(before, ALL_GATHER, into.of((own - step - 1 + 2 * size) % size));
            members.send(next, ALL_GATHER, into.of((own - step + size) % size));
            members.end(receive);
        }
    }

    /**
     * Gives each member its part of this one's data, and gets one of each; at each time every member sends to another
     * one.
     */
    public static void allToAll(Members members, Parts from, Parts into) throws MpiError {
        int size = members.size();
        int own = members.own();
        List<MessageOperation> all = new ArrayList<>();
        for (int distance = 1; distance < size; distance++) {
            int source = (own - distance + size) % size;
            all.add(members.beginReceive(source, ALL_TO_ALL, into.of(source)));
        }
        for (int distance = 1; distance < size; distance++) {
            int target = (own + distance) % size;
            all.add(members.begin(target, ALL_TO_ALL, from.of(target)));
        }
        copy(from.of(own), into.of(own));
        endAll(members, all);
    }

    private static void copy(MemorySegment from, MemorySegment to) {
        MemorySegment.copy(from, 0, to, 0, Math.min(from.byteSize(), to.byteSize()));
    }

    private static void endAll(Members members, List<MessageOperation> operations) throws MpiError {
        for (MessageOperation operation : operations) {
            members.end(operation);
        }
    }
}
