package io.hyperverbs.vmm.memory;

import java.lang.foreign.MemorySegment;

/**
 * A range of machine frames mapped into this process.
 *
 * @param firstMachineFrame number of the first frame
 * @param frames how many
 * @param kind what they are for
 * @param memory the mapping, {@code frames * 4096} bytes; its maker closes its arena
 */
public record MappedExtent(long firstMachineFrame, long frames, FrameKind kind, MemorySegment memory) {}
