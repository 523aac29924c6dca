package io.hyperverbs.upper.dsm.link;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Memory of the guest with a region of its own. */
final class RegisteredBuffer implements AutoCloseable {
    private static final long ALIGNMENT_BYTES = 64;

    private final DomainMemory ram;
    private final MemorySegment bytes;
    private final MemoryRegion region;

    RegisteredBuffer(DomainMemory ram, ProtectionDomain pd, long lengthBytes, Set<Access> access)
            throws VerbsException {
        this.ram = ram;
        this.bytes = ram.allocate(lengthBytes, ALIGNMENT_BYTES);
        try {
            this.region = pd.register(bytes, access);
        } catch (VerbsException e) {
            ram.free(bytes);
            throw e;
        }
    }

    MemorySegment bytes() {
        return bytes;
    }

    long address() {
        return region.address();
    }

    int lkey() {
        return region.lkey();
    }

    int rkey() {
        return region.rkey();
    }

    @Override
    public void close() throws VerbsException {
        region.close();
        ram.free(bytes);
    }
}
