package io.hyperverbs.frontend.event;

import io.hyperverbs.verbs.VerbsStatus;

/** Told when a channel of the connection manager has events to be taken. Never blocks. Any thread. */
public interface CmBell {
    /** There are events; one call may stand for several of them. */
    void ring();

    /** No event comes any more, for that reason. */
    void fail(VerbsStatus status, String reason);
}
