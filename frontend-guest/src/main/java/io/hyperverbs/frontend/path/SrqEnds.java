package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.SharedReceiveRing;

/**
 * A created shared receive queue.
 *
 * @param handle the session's
 * @param takenSoFar asks the HCA how many receives it has taken, modulo 2^32
 */
public record SrqEnds(long handle, SharedReceiveRing ring, HeadQuery takenSoFar) {
    /** A privileged verb: slow. */
    public interface HeadQuery {
        int ask() throws io.hyperverbs.verbs.VerbsException;
    }
}
