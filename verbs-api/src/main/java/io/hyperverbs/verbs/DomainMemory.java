package io.hyperverbs.verbs;

import java.lang.foreign.MemorySegment;

/** The domain's RAM. Only memory from here can be registered. Callable from any thread. */
public interface DomainMemory {
    /**
     * Takes a zeroed buffer out of the domain's RAM.
     *
     * @param lengthBytes at least 1
     * @param alignmentBytes a power of two, at most 4096
     * @throws VerbsException ENOMEM when no range is large enough; EINVAL for bad arguments
     */
    MemorySegment allocate(long lengthBytes, long alignmentBytes) throws VerbsException;

    /**
     * Gives a buffer back.
     *
     * @throws VerbsException EBUSY while a region covers any of it: the HCA would go on writing to
     *     what is somebody else's by then
     * @throws IllegalArgumentException if {@code buffer} was not allocated here
     */
    void free(MemorySegment buffer) throws VerbsException;

    /** All RAM of the domain in bytes, allocated or not. */
    long capacityBytes();
}
