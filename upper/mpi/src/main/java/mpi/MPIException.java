package mpi;

import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;

/** Something was wrong with a call, or a rank is gone. A rank that does not catch it ends, and its job with it. */
public final class MPIException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int errorClass;

    MPIException(ErrorClass errorClass, String message) {
        super("MPI_ERR_" + errorClass + ": " + message);
        this.errorClass = errorClass.code();
    }

    static MPIException of(MpiError error) {
        MPIException exception = new MPIException(error.errorClass(), String.valueOf(error.getMessage()));
        exception.initCause(error);
        return exception;
    }

    /** One of {@link MPI#ERR_TRUNCATE} and its like. */
    public int getErrorClass() {
        return errorClass;
    }

    /** As {@link #getErrorClass}: there are no finer codes. */
    public int getErrorCode() {
        return errorClass;
    }
}
