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

    /** Setting of a device domain: bytes that a packet of its HCA carries. */
    public static final String MTU_SETTING = "hca.mtu";

    private static final String STANDARD_HCA = "hv0";
    private static final String STANDARD_MTU = "2048";

    /** The header of IP over InfiniBand, RFC 4391 §6. */
    private static final int ENCAPSULATION_BYTES = 4;

    public Boot {
        ram = List.copyOf(ram);
        settings = Map.copyOf(settings);
    }

    /** Name of the HCA that the domain owns or uses. */
    public String hca() {
        return hca(settings);
    }

    /** The longest IP packet that a datagram of an HCA with these settings carries. */
    public static int ipMtuBytes(Map<String, String> settings) {
        return Integer.parseInt(settings.getOrDefault(MTU_SETTING, STANDARD_MTU)) - ENCAPSULATION_BYTES;
    }

    /** The HCA that settings name, or the one of a machine that names none. */
    public static String hca(Map<String, String> settings) {
        return settings.getOrDefault(HCA_SETTING, STANDARD_HCA);
    }
}
