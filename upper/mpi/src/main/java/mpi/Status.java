package mpi;

import io.hyperverbs.upper.mpi.collective.Members;
import io.hyperverbs.upper.mpi.match.Envelope;
import org.jspecify.annotations.Nullable;

/** What a receive got, or a probe found. Immutable. */
public final class Status {
    private final int source;
    private final int tag;
    private final long bytes;

    private Status(int source, int tag, long bytes) {
        this.source = source;
        this.tag = tag;
        this.bytes = bytes;
    }

    /** Of a message; of nothing, as from {@link MPI#PROC_NULL}, without one. */
    static Status of(@Nullable Envelope message, Members members) {
        return message == null
                ? new Status(MPI.PROC_NULL, MPI.ANY_TAG, 0)
                : new Status(members.memberOf(message.source()), message.tag(), message.bytes());
    }

    public int getSource() {
        return source;
    }

    public int getTag() {
        return tag;
    }

    /** Elements of the message; {@link MPI#UNDEFINED} if its bytes are no whole number of them. */
    public int getCount(Datatype type) {
        long count = bytes / type.getSize();
        return bytes % type.getSize() != 0 || count > Integer.MAX_VALUE ? MPI.UNDEFINED : (int) count;
    }

    @Override
    public String toString() {
        return "source " + source + ", tag " + tag + ", " + bytes + " bytes";
    }
}
