package io.hyperverbs.hca.ud;

import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.SgList;

/** The wire as the requester of UD sees it. Engine thread only. */
public interface RemoteDatagrams {
    /** Of an HCA without a wire: takes nothing, and loses it. */
    RemoteDatagrams NONE = (_, _, _, _, _, _) -> true;

    /**
     * Sends a datagram to the port or group with that IPv4 address, as the handle says.
     *
     * @return false if the network takes none at the moment, or the handle's static rate none yet: the queue pair
     *     waits for that
     */
    boolean send(Qp qp, Message datagram, AddressVector to, int address, SgList payload, long nowNanos);
}
