package io.hyperverbs.upper.mpi.error;

/** Error classes (MPI 3.1 §8.4), with the numbers of Open MPI. */
public enum ErrorClass {
    SUCCESS(0),
    BUFFER(1),
    COUNT(2),
    TYPE(3),
    TAG(4),
    COMM(5),
    RANK(6),
    REQUEST(7),
    ROOT(8),
    OP(10),
    ARG(13),
    UNKNOWN(14),
    /** The message is longer than the buffer of its receive. */
    TRUNCATE(15),
    OTHER(16),
    /** A rank's guest has ended, or the connection to it. */
    PROC_FAILED(75);

    private final int code;

    ErrorClass(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
