/**
 * The domain's RAM and its allocator. {@link io.hyperverbs.frontend.memory.GuestRam}
 * hands out buffers: whole frames from {@link io.hyperverbs.frontend.memory.FreeFrames}, pieces up
 * to half a frame from {@link io.hyperverbs.frontend.memory.SmallBlocks}. A buffer never spans two
 * extents, so it is contiguous in the machine. The HCA reads and writes registered buffers. Any
 * thread.
 */
@NullMarked
package io.hyperverbs.frontend.memory;

import org.jspecify.annotations.NullMarked;
