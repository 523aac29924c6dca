package io.hyperverbs.verbs.cm;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.sa.Destination;

/** Makes channels, listeners and connections of one context. Callable from any thread. */
public interface ConnectionManager {
    /** A context that has one, which all contexts of drivers are. */
    interface Provider {
        ConnectionManager connectionManager();
    }

    /**
     * That of a context.
     *
     * @throws IllegalArgumentException if it has none
     */
    static ConnectionManager of(Context context) {
        if (context instanceof Provider provider) {
            return provider.connectionManager();
        }
        throw new IllegalArgumentException("a context without connection manager: " + context);
    }

    /** First service id of the TCP port space; add the port ({@code RDMA_PS_TCP}). */
    long TCP_PORT_SPACE = 0x0000_0000_0106_0000L;

    /** {@code rdma_create_event_channel}. */
    CmChannel createChannel() throws VerbsException;

    /**
     * Listens to a service id of this domain ({@code rdma_listen}).
     *
     * @param backlog connections that may wait to be accepted, 1 to 128; more are rejected
     * @throws VerbsException EBUSY if the domain listens to it already; EINVAL for 0 or a bad
     *     backlog; EAGAIN above the quota
     */
    CmListener listen(CmChannel channel, long serviceId, int backlog) throws VerbsException;

    /**
     * Finds a guest and the way to it ({@code rdma_resolve_addr} and {@code rdma_resolve_route}).
     *
     * @throws VerbsException ENOENT if nobody is there; EINVAL for a LID, which names no guest;
     *     EAGAIN above the quota
     */
    CmConnection resolve(CmChannel channel, Destination to) throws VerbsException;
}
