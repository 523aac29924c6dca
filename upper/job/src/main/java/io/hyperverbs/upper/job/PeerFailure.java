package io.hyperverbs.upper.job;

/** An exception of a library whose programs form a job; it may say that another program of the job has ended. */
public interface PeerFailure {
    /** Whether this is why; then the program that throws it is not what failed first. */
    boolean peerIsGone();

    /** What happened, in words. */
    String getMessage();
}
