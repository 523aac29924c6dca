package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.qp.Qp;

/**
 * Carries requests from a requester to the responder of the peer: within the HCA or over a wire. Which
 * of them a queue pair's requests take is its route's. Engine thread only.
 */
public interface Fabric {
    /**
     * Carries the next part of the request that is next, which is fetched, judged by its form, and selected. When the
     * answer is there, at once or later, the fabric ends the request.
     *
     * @return bytes moved
     */
    long carry(Qp qp, long nowNanos);
}
