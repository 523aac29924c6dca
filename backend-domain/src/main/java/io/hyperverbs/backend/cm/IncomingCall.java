package io.hyperverbs.backend.cm;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.cm.CmOffer;

/**
 * What a REQ from another HCA says. Its numbers are within their fields; who it claims to be from or for is not checked.
 *
 * @param address IPv4 address that it came from
 * @param caller GID of the guest or port that calls
 * @param callee GID of the guest or port that is called
 * @param pkey of the path
 * @param mtuBytes of the path
 * @param data the caller's, without rdma_cm's header
 */
public record IncomingCall(
        int address, Gid caller, Gid callee, long serviceId, CmOffer offer, int pkey, int mtuBytes, PrivateData data) {}
