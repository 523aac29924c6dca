package io.hyperverbs.upper.mpi.progress;

import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.frame.FrameHeader;
import io.hyperverbs.upper.mpi.link.PeerLink;

/** A long message in parts, by copies through the ring: for memory that the HCA cannot read. */
final class PartStream implements OutgoingQueue.Outgoing {
    private final SendOperation send;
    private final long receiver;
    private long sentBytes;

    /**
     * @param receiver the request that the parts are for
     */
    PartStream(SendOperation send, long receiver) {
        this.send = send;
        this.receiver = receiver;
    }

    @Override
    public boolean advance(PeerLink link) throws MpiError {
        long bytes = send.data().byteSize();
        while (sentBytes < bytes) {
            int part = (int) Math.min(link.mostPayloadBytes(), bytes - sentBytes);
            if (!link.trySend(FrameHeader.data(receiver, sentBytes), send.data(), sentBytes, part)) {
                return false;
            }
            sentBytes += part;
        }
        send.end();
        return true;
    }
}
