package io.hyperverbs.verbs;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;

/** An opened device with its own UAR page ({@code ibv_context}); root of the object tree. */
public interface Context extends VerbsObject {
    /** The path that posts and polls of this context take. */
    DataPathKind dataPath();

    /** {@code ibv_query_device}. */
    DeviceAttributes queryDevice() throws VerbsException;

    /**
     * {@code ibv_query_port}.
     *
     * @param port from 1
     * @throws VerbsException EINVAL if the device has no such port
     */
    PortAttributes queryPort(int port) throws VerbsException;

    /** {@code ibv_alloc_pd}. */
    ProtectionDomain allocatePd() throws VerbsException;

    /** {@code ibv_create_comp_channel}. */
    CompletionChannel createChannel() throws VerbsException;

    /**
     * {@code ibv_create_cq}.
     *
     * @param entries completions it can hold, 1 to {@link DeviceAttributes#maxCqe()}; may be
     *     rounded up
     * @param channel where its completion events go, or null
     * @throws VerbsException EINVAL for a bad size; EAGAIN above the quota; ENOMEM without RAM for
     *     the ring
     */
    CompletionQueue createCq(int entries, @Nullable CompletionChannel channel)
            throws VerbsException;

    /**
     * Waits for an asynchronous event ({@code ibv_get_async_event}). Empty after {@code timeout}.
     * Taking an event acknowledges it.
     */
    Optional<AsyncEvent> awaitAsyncEvent(Duration timeout) throws VerbsException;
}
