package io.hyperverbs.launcher.load;

import io.hyperverbs.vmm.domain.DomainState;
import org.jspecify.annotations.Nullable;

/**
 * What a domain did between two looks.
 *
 * @param name {@code vmm} for the VMM
 * @param cpuPercent of one processor, by its process; null for one without a process of its own, or that is new
 * @param onHca null for the VMM and device domains
 */
public record DomainLoad(
        String name,
        DomainState state,
        @Nullable Double cpuPercent,
        @Nullable OnHca onHca) {
    /**
     * Its part of the HCA; rates are of a second.
     *
     * @param queuePairs that it has now, as the next two
     * @param wqes that its send and receive queues gave, by those that the HCA has done with
     * @param bytes sent and received
     * @param forwarded messages to the device domain: privileged verbs, and the forwarded data path; null if it does not say
     * @param events of its completion queues
     * @param errors completions with an error since its contexts are open, flushed ones not among them: no rate
     */
    public record OnHca(
            int queuePairs,
            int completionQueues,
            int regions,
            double wqes,
            double cqes,
            double bytes,
            @Nullable Double forwarded,
            double events,
            long errors) {}
}
