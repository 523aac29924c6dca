package io.hyperverbs.backend.session;

import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.MappedExtent;

/** Where a queue's rings lie: in the domain's own memory, or in frames of the backend. */
public sealed interface QueueMemory {
    long machineAddress();

    /** The domain's ring, kept from being unregistered by a reference. */
    record OfDomain(RingObject ring) implements QueueMemory {
        @Override
        public long machineAddress() {
            return ring.run().firstMachineAddress();
        }
    }

    /** Frames that the backend took for a forwarded queue and frees with it. */
    record OfBackend(MappedExtent extent) implements QueueMemory {
        @Override
        public long machineAddress() {
            return extent.firstMachineFrame() * FrameRun.FRAME_BYTES;
        }
    }
}
