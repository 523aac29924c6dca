package io.hyperverbs.lab.attacks.raw;

import java.lang.foreign.MemorySegment;

/**
 * Memory that the HCA may reach.
 *
 * @param handle of the region or ring
 */
public record RawRegion(MemorySegment memory, long handle, int lkey, int rkey) {
    public long address() {
        return memory.address();
    }
}
