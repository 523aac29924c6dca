package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.CompletionRing;
import java.lang.foreign.MemorySegment;

/**
 * A created completion queue.
 *
 * @param handle the session's
 * @param slot doorbell slot
 * @param memory its ring memory
 * @param ring the driver's end of it
 * @param heldEvent runs when the completions that an event announced are there after all
 */
public record CreatedCq(long handle, int slot, MemorySegment memory, CompletionRing ring, Runnable heldEvent) {}
