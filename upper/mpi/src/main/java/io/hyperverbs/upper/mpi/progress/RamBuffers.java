package io.hyperverbs.upper.mpi.progress;

import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Buffers out of the domain's RAM, which the HCA reaches without a copy. One thread. */
public final class RamBuffers {
    private static final long ALIGNMENT_BYTES = 64;

    private final DomainMemory memory;
    private final TreeMap<Long, MemorySegment> byAddress = new TreeMap<>();

    RamBuffers(DomainMemory memory) {
        this.memory = memory;
    }

    /**
     * A new one, zeroed.
     *
     * @param bytes at least 1
     */
    public MemorySegment allocate(long bytes) throws MpiError {
        try {
            MemorySegment buffer = memory.allocate(bytes, ALIGNMENT_BYTES);
            byAddress.put(buffer.address(), buffer);
            return buffer;
        } catch (VerbsException e) {
            throw new MpiError(ErrorClass.BUFFER, "no buffer of " + bytes + " bytes: " + e.getMessage());
        }
    }

    /** The same bytes as part of the domain's RAM; empty if they are none of it. */
    Optional<MemorySegment> find(MemorySegment data) {
        if (!data.isNative()) {
            return Optional.empty();
        }
        Map.Entry<Long, MemorySegment> below = byAddress.floorEntry(data.address());
        if (below == null) {
            return Optional.empty();
        }
        long offset = data.address() - below.getKey();
        MemorySegment buffer = below.getValue();
        boolean inside = offset <= buffer.byteSize() && data.byteSize() <= buffer.byteSize() - offset;
        return inside ? Optional.of(buffer.asSlice(offset, data.byteSize())) : Optional.empty();
    }

    void freeAll() throws VerbsException {
        for (MemorySegment buffer : byAddress.values()) {
            memory.free(buffer);
        }
        byAddress.clear();
    }
}
