package io.hyperverbs.hca;

import java.lang.foreign.MemorySegment;

/** The memory the HCA reaches. Machine addresses are byte offsets into one segment. */
public interface Dma {
    /** All machine memory; never faults, whatever domains come and go. */
    MemorySegment machineMemory();
}
