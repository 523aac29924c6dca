package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;

/** What the VMM does for one domain's hypercalls. */
public interface HypercallService {
    /**
     * Carries out one request of a domain that has said the right token. Called by the connection's
     * own thread, and must not wait: what takes time is answered later.
     *
     * @throws io.hyperverbs.vmm.io.ProtocolViolation for what no correct domain sends
     */
    void serve(HypercallRequest request, HypercallConnection caller);

    /** The domain's calls cannot be served any more, through no fault of its own. */
    void failed(Throwable failure);

    /** The connection is gone; nothing can be answered any more. */
    void connectionLost(HypercallConnection caller);
}
