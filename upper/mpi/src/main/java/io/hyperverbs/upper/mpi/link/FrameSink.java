package io.hyperverbs.upper.mpi.link;

import io.hyperverbs.upper.mpi.error.MpiError;
import java.lang.foreign.MemorySegment;

/** Takes frames as they arrive, those of each peer in the order in which they were sent. */
@FunctionalInterface
public interface FrameSink {
    /**
     * @param frame is the peer's to write to again when this returns
     */
    void arrived(PeerLink from, MemorySegment frame) throws MpiError;
}
