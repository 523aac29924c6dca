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
    /** Name of the HCA that a domain owns or uses. */
    public static final String HCA_SETTING = "hca.name";

    private static final String STANDARD_HCA = "hv0";

    public Boot {
        ram = List.copyOf(ram);
        settings = Map.copyOf(settings);
    }

    /** Name of the HCA that the domain owns or uses. */
    public String hca() {
        return hca(settings);
    }

    /** The HCA that settings name, or the one of a machine that names none. */
    public static String hca(Map<String, String> settings) {
        return settings.getOrDefault(HCA_SETTING, STANDARD_HCA);
    }
}
