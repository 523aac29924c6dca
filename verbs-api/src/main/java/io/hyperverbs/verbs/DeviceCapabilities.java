package io.hyperverbs.verbs;

import java.util.Set;

/**
 * What the HCA can do.
 *
 * @param flags {@code device_cap_flags}
 * @param atomicCap what its atomics are atomic against
 * @param pageSizes supported page sizes as a bit mask ({@code page_size_cap})
 * @param maxPkeys entries of a port's P_Key table
 * @param maxResponderReadAtomic reads and atomics that it serves at once, all queue pairs together
 * @param localAckDelay code of the time it takes to acknowledge ({@code local_ca_ack_delay})
 * @param completionVectors {@code num_comp_vectors}
 */
public record DeviceCapabilities(
        Set<DeviceCapability> flags,
        AtomicCap atomicCap,
        long pageSizes,
        int maxPkeys,
        int maxResponderReadAtomic,
        int localAckDelay,
        int completionVectors) {
    public DeviceCapabilities {
        flags = Set.copyOf(flags);
    }
}
