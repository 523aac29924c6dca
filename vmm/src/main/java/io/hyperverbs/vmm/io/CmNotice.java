package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.PathRecord;

/**
 * An event of a connection, with its handle.
 *
 * @param serviceId of the listener with CONNECT_REQUEST, else 0
 * @param path from this side to the peer
 */
public record CmNotice(
        CmEvent.Type type,
        long connection,
        long serviceId,
        VerbsStatus status,
        RejectReason reject,
        String guest,
        Gid gid,
        CmOffer offer,
        PrivateData data,
        PathRecord path) {}
