package io.hyperverbs.upper.dsm.error;

import io.hyperverbs.upper.job.PeerFailure;

/** The shared memory cannot go on: a node is gone, or nodes do not agree. */
public final class DsmException extends RuntimeException implements PeerFailure {
    private static final long serialVersionUID = 1L;

    private final boolean peerIsGone;

    private DsmException(String message, boolean peerIsGone) {
        super(message);
        this.peerIsGone = peerIsGone;
    }

    /** Something is wrong with this node or with what it called. */
    public static DsmException of(String message) {
        return new DsmException(message, false);
    }

    /** Another node has ended. */
    public static DsmException gone(String message) {
        return new DsmException(message, true);
    }

    @Override
    public boolean peerIsGone() {
        return peerIsGone;
    }
}
