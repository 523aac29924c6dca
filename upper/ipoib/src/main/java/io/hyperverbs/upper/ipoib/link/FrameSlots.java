package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Registered memory for frames, in slots of one size, by number from 0. Immutable but for the bytes. */
final class FrameSlots {
    private static final long PAGE_BYTES = 4096;
    private static final int ALIGNMENT_BYTES = 64;

    private final MemorySegment memory;
    private final MemoryRegion region;
    private final int count;
    private final int slotBytes;
    private final int strideBytes;

    /**
     * @param slotBytes that a slot holds at least
     */
    FrameSlots(DomainMemory ram, ProtectionDomain pd, int count, int slotBytes) throws VerbsException {
        this.count = count;
        this.slotBytes = slotBytes;
        this.strideBytes = Math.ceilDiv(slotBytes, ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
        this.memory = ram.allocate((long) count * strideBytes, PAGE_BYTES);
        this.region = pd.register(memory, Set.of(Access.LOCAL_WRITE));
    }

    int count() {
        return count;
    }

    int slotBytes() {
        return slotBytes;
    }

    /** All slots; a slot begins at {@link #offset}. */
    MemorySegment memory() {
        return memory;
    }

    long offset(int slot) {
        return (long) slot * strideBytes;
    }

    /** Address of a slot for work requests. */
    long address(int slot) {
        return region.address() + offset(slot);
    }

    int lkey() {
        return region.lkey();
    }
}
