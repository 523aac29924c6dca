package io.hyperverbs.upper.mpi.link;

import io.hyperverbs.upper.mpi.frame.CreditLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * Memory of one link: a ring that the peer writes to, and the copy of the peer's ring that is written from; behind each
 * is room for credits. The peer's key opens its ring and nothing else.
 */
final class LinkMemory implements AutoCloseable {
    private static final long ALIGNMENT_BYTES = 64;

    private final DomainMemory memory;
    private final MemorySegment ring;
    private final MemoryRegion ringRegion;
    private @Nullable MemorySegment copy;
    private @Nullable MemoryRegion copyRegion;

    LinkMemory(DomainMemory memory, ProtectionDomain pd, int ringBytes) throws VerbsException {
        this.memory = memory;
        this.ring = memory.allocate(ringBytes + CreditLayout.ROOM_BYTES, ALIGNMENT_BYTES);
        this.ringRegion = pd.register(ring, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
    }

    /** Makes the copy, once the length of the peer's ring is known. */
    void addCopy(ProtectionDomain pd, int peerRingBytes) throws VerbsException {
        copy = memory.allocate(peerRingBytes + CreditLayout.ROOM_BYTES, ALIGNMENT_BYTES);
        copyRegion = pd.register(copy, EnumSet.of(Access.LOCAL_WRITE));
    }

    MemorySegment ring() {
        return ring;
    }

    long ringAddress() {
        return ringRegion.address();
    }

    int ringKey() {
        return ringRegion.rkey();
    }

    MemorySegment copy() {
        return known(copy);
    }

    long copyAddress() {
        return known(copyRegion).address();
    }

    int copyKey() {
        return known(copyRegion).lkey();
    }

    private static <T> T known(@Nullable T one) {
        if (one == null) {
            throw new IllegalStateException("the peer's ring is not known yet");
        }
        return one;
    }

    @Override
    public void close() throws VerbsException {
        ringRegion.close();
        memory.free(ring);
        if (copyRegion != null && copy != null) {
            copyRegion.close();
            memory.free(copy);
        }
    }
}
