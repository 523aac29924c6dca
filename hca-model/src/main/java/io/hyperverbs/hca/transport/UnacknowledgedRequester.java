package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.qp.Qp;

/** The requester of a transport without acknowledgements: UC or UD. Engine thread only. */
public interface UnacknowledgedRequester {
    /**
     * Does the next step of a queue pair that has a request.
     *
     * @return bytes moved
     */
    long step(Qp qp, long nowNanos);
}
