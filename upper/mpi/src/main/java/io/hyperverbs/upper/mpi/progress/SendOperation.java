package io.hyperverbs.upper.mpi.progress;

import io.hyperverbs.verbs.RegistrationCache;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A message that leaves. */
public final class SendOperation extends MessageOperation {
    private final MemorySegment data;

    /** Of the memory that the receiver reads; it lasts until it has. */
    private RegistrationCache.@Nullable Lease lease;

    SendOperation(MemorySegment data) {
        this.data = data;
    }

    MemorySegment data() {
        return data;
    }

    RegistrationCache.@Nullable Lease lease() {
        return lease;
    }

    void keep(RegistrationCache.Lease registration) {
        lease = registration;
    }
}
