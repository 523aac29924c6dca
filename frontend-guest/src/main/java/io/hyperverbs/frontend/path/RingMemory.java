package io.hyperverbs.frontend.path;

import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/** Memory for the rings of one queue. */
public interface RingMemory {
    /** The rings, from offset 0; page aligned. */
    MemorySegment memory();

    /** What create names; 0 for private memory. */
    long handle();

    /**
     * Gives the memory back after its queue is destroyed.
     *
     * @throws VerbsException if the backend does not release it: then it is not used again
     */
    void release() throws VerbsException;
}
