package mpi;

import io.hyperverbs.upper.mpi.collective.Collectives;
import io.hyperverbs.upper.mpi.collective.Exchanges;
import io.hyperverbs.upper.mpi.collective.Members;
import io.hyperverbs.upper.mpi.collective.Splitting;
import io.hyperverbs.upper.mpi.data.UserBuffer;
import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Operations of all members (MPI 3.1 §5): each calls the same ones in the same order. Buffers that are of no use at a
 * member may be null there.
 */
public final class Intracomm extends Comm {
    Intracomm() {}

    /** What a collective operation does. */
    @FunctionalInterface
    private interface Work {
        void run(Members members) throws MpiError;
    }

    private void all(Work work) throws MPIException {
        try {
            work.run(members());
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
    }

    private static void checkRoot(Members members, int root) throws MpiError {
        if (root < 0 || root >= members.size()) {
            throw new MpiError(ErrorClass.ROOT, "root " + root + " of " + members.size());
        }
    }

    /** Returns when all members have called it. */
    public void barrier() throws MPIException {
        all(Collectives::barrier);
    }

    /** Brings the root's elements to all. */
    public void bcast(@Nullable Object buf, int count, Datatype type, int root) throws MPIException {
        all(members -> {
            checkRoot(members, root);
            Collectives.broadcast(members, UserBuffer.of(buf, count, type.type()), root);
        });
    }

    /** Combines the elements of all, place by place, at the root. */
    public void reduce(@Nullable Object sendbuf, @Nullable Object recvbuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        all(members -> {
            checkRoot(members, root);
            Object result = members.own() == root
                    ? recvbuf
                    : MemorySegment.ofArray(new byte[Math.multiplyExact(count, type.getSize())]);
            MemorySegment data = copied(sendbuf, result, count, type);
            Collectives.reduce(members, data, type.type(), op.reduction(), root);
        });
    }

    /** As {@link #reduce}, with the result in {@code buf}, which has the elements. */
    public void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        all(members -> {
            checkRoot(members, root);
            Collectives.reduce(members, UserBuffer.of(buf, count, type.type()), type.type(), op.reduction(), root);
        });
    }

    /** Combines the elements of all, place by place, at all. */
    public void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        all(members ->
                Collectives.allReduce(members, copied(sendbuf, recvbuf, count, type), type.type(), op.reduction()));
    }

    /** As {@link #allReduce}, with the result in {@code buf}, which has the elements. */
    public void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        all(members ->
                Collectives.allReduce(members, UserBuffer.of(buf, count, type.type()), type.type(), op.reduction()));
    }

    /** Combines the elements of all members up to this one. */
    public void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        all(members -> Collectives.scan(members, copied(sendbuf, recvbuf, count, type), type.type(), op.reduction()));
    }

    private static MemorySegment copied(@Nullable Object from, @Nullable Object to, int count, Datatype type)
            throws MpiError {
        MemorySegment source = UserBuffer.of(from, count, type.type());
        MemorySegment target = UserBuffer.of(to, count, type.type());
        MemorySegment.copy(source, 0, target, 0, source.byteSize());
        return target;
    }

    /** Brings the elements of each to the root, in the order of ranks. */
    public void gather(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        all(members -> {
            checkRoot(members, root);
            Exchanges.gather(
                    members,
                    UserBuffer.of(sendbuf, sendcount, sendtype.type()),
                    member -> block(recvbuf, member, recvcount, recvtype),
                    root);
        });
    }

    /** As {@link #gather}, with a count and a place for each. */
    public void gatherv(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int @Nullable [] recvcount,
            int @Nullable [] displs,
            Datatype recvtype,
            int root)
            throws MPIException {
        all(members -> {
            checkRoot(members, root);
            Exchanges.gather(
                    members,
                    UserBuffer.of(sendbuf, sendcount, sendtype.type()),
                    member -> part(recvbuf, recvcount, displs, member, recvtype),
                    root);
        });
    }

    /** Brings each its elements of the root's, in the order of ranks. */
    public void scatter(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        all(members -> {
            checkRoot(members, root);
            Exchanges.scatter(
                    members,
                    member -> block(sendbuf, member, sendcount, sendtype),
                    UserBuffer.of(recvbuf, recvcount, recvtype.type()),
                    root);
        });
    }

    /** Brings the elements of each to all, in the order of ranks. */
    public void allGather(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        all(members -> Exchanges.allGather(
                members,
                UserBuffer.of(sendbuf, sendcount, sendtype.type()),
                member -> block(recvbuf, member, recvcount, recvtype)));
    }

    /** As {@link #allGather}, with a count and a place for each. */
    public void allGatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        all(members -> Exchanges.allGather(
                members,
                UserBuffer.of(sendbuf, sendcount, sendtype.type()),
                member -> part(recvbuf, recvcount, displs, member, recvtype)));
    }

    /** Each gives each its elements: what it has for rank i lies at place i, and what it gets of rank i too. */
    public void allToAll(
            Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount, Datatype recvtype)
            throws MPIException {
        all(members -> Exchanges.allToAll(
                members,
                member -> block(sendbuf, member, sendcount, sendtype),
                member -> block(recvbuf, member, recvcount, recvtype)));
    }

    /** As {@link #allToAll}, with a count and a place for each. */
    public void allToAllv(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        all(members -> Exchanges.allToAll(
                members,
                member -> part(sendbuf, sendcount, sdispls, member, sendtype),
                member -> part(recvbuf, recvcount, rdispls, member, recvtype)));
    }

    private static MemorySegment block(@Nullable Object buf, int member, int count, Datatype type) throws MpiError {
        return UserBuffer.part(buf, Math.multiplyExact(member, count), count, type.type());
    }

    private static MemorySegment part(
            @Nullable Object buf, int @Nullable [] counts, int @Nullable [] places, int member, Datatype type)
            throws MpiError {
        if (counts == null || places == null || counts.length <= member || places.length <= member) {
            throw new MpiError(ErrorClass.ARG, "counts and displacements must be there for each rank");
        }
        return UserBuffer.part(buf, places[member], counts[member], type.type());
    }

    /** The same members, whose messages are kept apart from those of this one. */
    public Intracomm dup() throws MPIException {
        Intracomm copy = new Intracomm();
        all(members -> copy.begin(Splitting.duplicate(members)));
        return copy;
    }

    /**
     * Communicators of the members with the same colour.
     *
     * @param colour not negative, or {@link MPI#UNDEFINED}
     * @param key members are in the order of keys
     * @return null for {@link MPI#UNDEFINED}
     */
    public @Nullable Intracomm split(int colour, int key) throws MPIException {
        if (colour < 0 && colour != MPI.UNDEFINED) {
            throw new MPIException(ErrorClass.ARG, "colour " + colour + ", must not be negative");
        }
        Intracomm part = new Intracomm();
        all(members -> Splitting.split(members, colour, key).ifPresent(part::begin));
        return colour == MPI.UNDEFINED ? null : part;
    }
}
