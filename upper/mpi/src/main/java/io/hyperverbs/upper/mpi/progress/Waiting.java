package io.hyperverbs.upper.mpi.progress;

import io.hyperverbs.upper.mpi.link.PeerLink;
import java.lang.foreign.MemorySegment;

/** A message that no receive has taken yet. */
sealed interface Waiting {
    /** All of it is here. */
    record Held(MemorySegment payload) implements Waiting {}

    /**
     * It lies at its sender.
     *
     * @param request the sender's
     * @param rkey of the sender's memory; 0 if that cannot be read
     */
    record Offered(PeerLink from, long request, int rkey, long address) implements Waiting {}

    /** One that this rank sends to itself, and waits until it is received. */
    record Own(SendOperation send) implements Waiting {}
}
