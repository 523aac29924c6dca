package io.hyperverbs.upper.mpi.error;

import io.hyperverbs.upper.job.PeerFailure;

/** An operation of MPI did not go well. Callers of the library see it as {@code MPIException}. */
public final class MpiError extends Exception implements PeerFailure {
    private static final long serialVersionUID = 1L;

    private final ErrorClass errorClass;

    /**
     * @param message what was found and what was allowed
     */
    public MpiError(ErrorClass errorClass, String message) {
        super(message);
        this.errorClass = errorClass;
    }

    public ErrorClass errorClass() {
        return errorClass;
    }

    @Override
    public boolean peerIsGone() {
        return errorClass == ErrorClass.PROC_FAILED;
    }
}
