package io.hyperverbs.backend.cm;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.cm.CmOffer;

/**
 * What a REQ to another HCA says.
 *
 * @param address IPv4 address of the port there
 * @param lid of that port, 0 if it has none that is known here
 * @param caller GID of the guest that calls; that of the port, if the callee is none of the topology
 * @param callee GID of the guest that is called; that of the port, if it is none of the topology
 * @param pkey of the path
 * @param mtuBytes of the path
 * @param responseNanos how long the caller waits for an answer
 */
public record OutgoingCall(
        int address,
        int lid,
        Gid caller,
        Gid callee,
        long serviceId,
        CmOffer offer,
        int pkey,
        int mtuBytes,
        long responseNanos,
        PrivateData data) {}
