package io.hyperverbs.verbs;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /**
     * An entry of a port's GID table ({@code ibv_query_gid}).
     *
     * @param index from 0, below {@link PortAttributes#gidTableLength}
     * @throws VerbsException EINVAL for a port or an entry that is not there
     */
    Gid queryGid(int port, int index) throws VerbsException;

    /**
     * An entry of a port's P_Key table, 16 bits ({@code ibv_query_pkey}).
     *
     * @param index from 0, below {@link PortAttributes#pkeyTableLength}
     * @throws VerbsException EINVAL for a port or an entry that is not there
     */
    int queryPkey(int port, int index) throws VerbsException;

    /** {@code ibv_alloc_pd}. */
    ProtectionDomain allocatePd() throws VerbsException;

    /**
     * A protection domain that stands for {@code parent}: what is made in either belongs together
     * ({@code ibv_alloc_parent_domain}, without a thread domain). The parent cannot be closed
     * before it.
     *
     * @throws VerbsException EINVAL for a PD of another context, or one that is a parent domain
     */
    ProtectionDomain allocateParentDomain(ProtectionDomain parent) throws VerbsException;

    /**
     * Opens an XRC domain of this context ({@code ibv_open_xrcd}). It counts as a protection domain
     * and a completion queue in quotas.
     */
    XrcDomain openXrcDomain() throws VerbsException;

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
    CompletionQueue createCq(int entries, @Nullable CompletionChannel channel) throws VerbsException;

    /**
     * Waits for an asynchronous event ({@code ibv_get_async_event}). Empty after {@code timeout}.
     * Taking an event acknowledges it.
     */
    Optional<AsyncEvent> awaitAsyncEvent(Duration timeout) throws VerbsException;

    /**
     * Like {@link #awaitAsyncEvent}, but the event is to be acknowledged: until then the object it
     * names cannot be destroyed.
     */
    Optional<AsyncEvent> getAsyncEvent(Duration timeout) throws VerbsException;

    /**
     * Acknowledges an event that {@link #getAsyncEvent} gave ({@code ibv_ack_async_event}).
     *
     * @throws IllegalArgumentException if no such event is unacknowledged
     */
    void acknowledge(AsyncEvent event);
}
