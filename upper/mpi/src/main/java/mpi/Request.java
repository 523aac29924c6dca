package mpi;

import io.hyperverbs.upper.mpi.collective.Members;
import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.progress.MessageOperation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A send or receive that was begun. It is null when it has ended and somebody has been told, as requests of {@link
 * MPI#PROC_NULL} are from the beginning.
 */
public final class Request {
    private final Members members;
    private @Nullable MessageOperation operation;

    Request(Members members, @Nullable MessageOperation operation) {
        this.members = members;
        this.operation = operation;
    }

    /** Whether nothing is waited for any more. */
    public boolean isNull() {
        return operation == null;
    }

    /** Waits for its end. */
    public void waitFor() throws MPIException {
        waitStatus();
    }

    /** Waits for its end; what was received. */
    public Status waitStatus() throws MPIException {
        MessageOperation waited = operation;
        if (waited == null) {
            return Status.of(null, members);
        }
        try {
            members.progress().await(waited);
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
        return told(waited);
    }

    /** Whether it has ended, without waiting. */
    public boolean test() throws MPIException {
        return testStatus() != null;
    }

    /** What was received; null while it has not ended. Does not wait. */
    public @Nullable Status testStatus() throws MPIException {
        MessageOperation asked = operation;
        if (asked == null) {
            return Status.of(null, members);
        }
        if (!asked.isDone()) {
            poll();
        }
        return asked.isDone() ? told(asked) : null;
    }

    private Status told(MessageOperation ended) throws MPIException {
        operation = null;
        MpiError wrong = ended.error();
        if (wrong != null) {
            throw MPIException.of(wrong);
        }
        return Status.of(ended.envelope(), members);
    }

    private void poll() throws MPIException {
        try {
            members.progress().poll();
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
    }

    private void step() throws MPIException {
        try {
            members.progress().step();
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
    }

    /** Waits for the end of all. */
    public static void waitAll(Request[] requests) throws MPIException {
        waitAllStatus(requests);
    }

    /** Waits for the end of all; what each received. */
    public static Status[] waitAllStatus(Request[] requests) throws MPIException {
        Status[] statuses = new Status[requests.length];
        for (int i = 0; i < requests.length; i++) {
            statuses[i] = requests[i].waitStatus();
        }
        return statuses;
    }

    /**
     * Waits for the end of one.
     *
     * @return its index; {@link MPI#UNDEFINED} if all are null
     */
    public static int waitAny(Request[] requests) throws MPIException {
        while (true) {
            boolean anyLeft = false;
            for (int i = 0; i < requests.length; i++) {
                MessageOperation one = requests[i].operation;
                if (one != null && one.isDone()) {
                    requests[i].told(one);
                    return i;
                }
                anyLeft |= one != null;
            }
            Optional<Request> some = anyLeft ? firstLeft(requests) : Optional.empty();
            if (some.isEmpty()) {
                return MPI.UNDEFINED;
            }
            some.get().step();
        }
    }

    private static Optional<Request> firstLeft(Request[] requests) {
        for (Request one : requests) {
            if (!one.isNull()) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /** Whether all have ended, without waiting; only then are they null. */
    public static boolean testAll(Request[] requests) throws MPIException {
        for (Request one : requests) {
            MessageOperation asked = one.operation;
            if (asked != null && !asked.isDone()) {
                one.poll();
                if (!asked.isDone()) {
                    return false;
                }
            }
        }
        waitAll(requests);
        return true;
    }
}
