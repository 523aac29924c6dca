package mpi;

import io.hyperverbs.upper.mpi.collective.Members;
import io.hyperverbs.upper.mpi.data.UserBuffer;
import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.match.ReceivePattern;
import io.hyperverbs.upper.mpi.progress.MessageOperation;
import io.hyperverbs.verbs.ProgramExit;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Messages between the members of a communicator (MPI 3.1 §3). Ranks count from 0. One thread. */
public abstract sealed class Comm permits Intracomm {
    private static final int MOST_EXIT_CODE = 255;

    private @Nullable Members members;

    Comm() {}

    final void begin(Members of) {
        members = of;
    }

    final void end() {
        members = null;
    }

    final Members members() throws MPIException {
        Members now = members;
        if (now == null) {
            throw new MPIException(ErrorClass.COMM, "before MPI.Init, after MPI.Finalize, or freed");
        }
        return now;
    }

    /** This rank in the communicator. */
    public final int getRank() throws MPIException {
        return members().own();
    }

    /** How many members it has. */
    public final int getSize() throws MPIException {
        return members().size();
    }

    /** Gives it up. */
    public final void free() {
        end();
    }

    /**
     * Sends a message; returns when the buffer may be used again, which says nothing of the receiver.
     *
     * @param tag not negative
     * @throws MPIException RANK, TAG, COUNT, TYPE, BUFFER; PROC_FAILED if a rank is gone
     */
    public final void send(@Nullable Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        begin(buf, count, type, dest, tag, false).waitFor();
    }

    /** As {@link #send}; returns when a receive has matched. */
    public final void sSend(@Nullable Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        begin(buf, count, type, dest, tag, true).waitFor();
    }

    /** As {@link #send}; that the receive is there is the caller's promise, of which no use is made. */
    public final void rSend(@Nullable Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        send(buf, count, type, dest, tag);
    }

    /** Begins to send; the buffer is not to be changed before the request has ended. */
    public final Request iSend(@Nullable Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return begin(buf, count, type, dest, tag, false);
    }

    /** As {@link #iSend}; ends when a receive has matched. */
    public final Request iSSend(@Nullable Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return begin(buf, count, type, dest, tag, true);
    }

    private Request begin(@Nullable Object buf, int count, Datatype type, int dest, int tag, boolean synchronous)
            throws MPIException {
        Members to = members();
        try {
            MemorySegment data = UserBuffer.of(buf, count, type.type());
            if (tag < 0) {
                throw new MpiError(ErrorClass.TAG, "tag " + tag + " of a send, must not be negative");
            }
            if (dest == MPI.PROC_NULL) {
                return new Request(to, null);
            }
            to.check(dest);
            MessageOperation send = to.progress().send(to.context(), to.inJob(dest), tag, data, synchronous);
            return new Request(to, send);
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
    }

    /**
     * Receives a message.
     *
     * @param count the most elements
     * @param source a rank, or {@link MPI#ANY_SOURCE}
     * @param tag not negative, or {@link MPI#ANY_TAG}
     * @throws MPIException TRUNCATE if the message has more: what fits is there; else as {@link #send}
     */
    public final Status recv(@Nullable Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return iRecv(buf, count, type, source, tag).waitStatus();
    }

    /** Begins to receive; the buffer is not to be looked at before the request has ended. */
    public final Request iRecv(@Nullable Object buf, int count, Datatype type, int source, int tag)
            throws MPIException {
        Members from = members();
        try {
            MemorySegment data = UserBuffer.of(buf, count, type.type());
            if (source == MPI.PROC_NULL) {
                return new Request(from, null);
            }
            MessageOperation receive = from.progress().receive(pattern(from, source, tag), data);
            return new Request(from, receive);
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
    }

    private static ReceivePattern pattern(Members members, int source, int tag) throws MpiError {
        if (tag < 0 && tag != MPI.ANY_TAG) {
            throw new MpiError(ErrorClass.TAG, "tag " + tag + " of a receive, must not be negative");
        }
        if (source == MPI.ANY_SOURCE) {
            return new ReceivePattern(members.context(), ReceivePattern.ANY, tag);
        }
        members.check(source);
        return new ReceivePattern(members.context(), members.inJob(source), tag);
    }

    /** Sends one message and receives another at the same time. */
    public final Status sendRecv(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag)
            throws MPIException {
        Request receive = iRecv(recvbuf, recvcount, recvtype, source, recvtag);
        send(sendbuf, sendcount, sendtype, dest, sendtag);
        return receive.waitStatus();
    }

    /** Waits for a message, and leaves it. */
    public final Status probe(int source, int tag) throws MPIException {
        Members from = members();
        try {
            return Status.of(from.progress().awaitMessage(pattern(from, source, tag)), from);
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
    }

    /** What a receive would get now; null if there is nothing yet. */
    public final @Nullable Status iProbe(int source, int tag) throws MPIException {
        Members from = members();
        try {
            return from.progress()
                    .probe(pattern(from, source, tag))
                    .map(message -> Status.of(message, from))
                    .orElse(null);
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
    }

    /** Ends this rank, and with it the job, with that exit code. Does not return. */
    public final void abort(int errorcode) {
        System.err.println("MPI abort with code " + errorcode);
        throw new ProgramExit(errorcode > 0 && errorcode <= MOST_EXIT_CODE ? errorcode : 1);
    }
}
