package io.hyperverbs.vmm.io;

/**
 * How privileged verbs reach the backend: forwarded over a guest's device channel, or direct inside
 * the device domain. Callable from any thread.
 */
public interface ControlPath extends AutoCloseable {
    /**
     * Carries out one verb. Every refusal is a {@link ControlReply.Refused}; a channel that failed
     * answers EIO, one that did not answer in time ETIMEDOUT.
     */
    ControlReply call(ControlRequest request);

    /**
     * Where events of this session go from now on. The sink is called on the channel's thread and
     * must not block.
     */
    void subscribe(EventSink sink);

    @Override
    void close();
}
