package io.hyperverbs.frontend.post;

import io.hyperverbs.verbs.QpState;

/**
 * The state of a queue pair as far as the driver knows it. The HCA may have moved it to ERR since:
 * posts are allowed there too, and flush. Any thread.
 */
public final class CachedQpState {
    private volatile QpState state = QpState.RESET;
    private volatile boolean closed;

    public QpState state() {
        return state;
    }

    public void state(QpState known) {
        state = known;
    }

    /** Nothing can be posted any more. */
    public void close() {
        closed = true;
    }

    /** The queue pair could not be destroyed. */
    public void reopen() {
        closed = false;
    }

    /** Why this gate let nothing through. */
    PostMistake mistake() {
        return closed ? PostMistake.CLOSED : PostMistake.STATE;
    }

    boolean allowsSend() {
        return !closed && state.code() >= QpState.RTS.code();
    }

    boolean allowsReceive() {
        return !closed && state != QpState.RESET;
    }
}
