package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.memory.MappedExtent;
import java.util.List;
import java.util.Map;

/**
 * What a domain learns at its start.
 *
 * @param domain its id
 * @param name its name in the topology
 * @param ram its memory, mapped read-write; empty for the backend domain
 * @param settings quotas, weight, data path and the like, as the topology has them
 */
public record Boot(int domain, String name, List<MappedExtent> ram, Map<String, String> settings) {
    public Boot {
        ram = List.copyOf(ram);
        settings = Map.copyOf(settings);
    }
}
