package io.hyperverbs.vmm.io;

import java.util.concurrent.locks.LockSupport;

/**
 * How privileged verbs reach the backend: forwarded over a guest's device channel, or direct inside
 * the device domain. Callable from any thread.
 */
public interface ControlPath extends AutoCloseable {
    /**
     * Replies that the backend keeps for retries: a request id so many behind the highest one is
     * refused, so no more than these may be unanswered at a time.
     */
    int REPLIES_KEPT = 256;

    /**
     * Carries out one verb. Every refusal is a {@link ControlReply.Refused}; a channel that failed
     * answers EIO, one that did not answer in time ETIMEDOUT.
     */
    ControlReply call(ControlRequest request);

    /** Lets time pass before a verb is asked again; less than that if the thread is interrupted. */
    default void pause(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    /**
     * Where events of this session go from now on. The sink is called on the channel's thread and
     * must not block. A channel that is lost is made again, and the sink hears an overflow then; if
     * that does not succeed it hears that the channel is closed, and nothing more.
     */
    void subscribe(EventSink sink);

    @Override
    void close();
}
