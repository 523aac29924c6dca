package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/** The driver's end of a ring, seen by the consumer of its filled slots. One thread at a time. */
public interface FilledRing {
    MemorySegment memory();

    /**
     * Byte offset in {@link #memory} of the slot {@code ahead} requests after the last published
     * one.
     */
    long slot(int ahead);

    /** Publishes {@code count} filled slots; a negative count takes the last ones back. */
    void publish(int count);
}
