package io.hyperverbs.launcher.topology;

import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.vmm.cores.CorePlacement;
import io.hyperverbs.vmm.hypercall.Boot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An HCA of a topology.
 *
 * @param core whether its engine has a core to itself
 * @param ports its ports, with the addresses that they have once the topology starts
 * @param stated IPv4 address that the topology gives to each port, 0 for one that is chosen at the start; empty if
 *     the HCA is on no wire
 * @param keyLockout whether a guest that guesses keys of another has to pause
 * @param host name of the host that it is on; empty in a topology without hosts
 */
public record HcaSpec(
        String name,
        CorePlacement core,
        PortSettings ports,
        List<Integer> stated,
        Limits limits,
        boolean keyLockout,
        String host) {
    /** What it can hold. */
    public record Limits(int maxQp, int maxCq, int maxMr, int maxPd) {}

    public HcaSpec {
        stated = List.copyOf(stated);
    }

    /** One of a topology without hosts. */
    public HcaSpec(
            String name,
            CorePlacement core,
            PortSettings ports,
            List<Integer> stated,
            Limits limits,
            boolean keyLockout) {
        this(name, core, ports, stated, limits, keyLockout, "");
    }

    /** The HCA of a topology that says nothing else. */
    public static HcaSpec standard() {
        HcaLimits limits = HcaLimits.standard();
        return new HcaSpec(
                "hv0",
                CorePlacement.DEDICATED,
                PortSettings.standard(limits.lid(), limits.mtuBytes()),
                List.of(),
                new Limits(limits.maxQp(), limits.maxCq(), limits.maxRegions(), limits.maxPd()),
                true);
    }

    /**
     * One of several standard HCAs.
     *
     * @param place from 0
     */
    public static HcaSpec standard(String name, int place) {
        HcaSpec one = standard();
        PortSettings ports = PortSettings.standard(lidAt(place), one.ports.mtuBytes());
        return new HcaSpec(name, one.core, ports, List.of(0, 0), one.limits, one.keyLockout);
    }

    /** LID of port 1 of the HCA at that place in the topology, from 0: each has one for each port it may have. */
    static int lidAt(int place) {
        return HcaLimits.standard().lid() + place * PortSettings.MAX_PORTS;
    }

    /** The same HCA, on which a guest may miss keys as often as it likes. */
    public HcaSpec withoutKeyLockout() {
        return new HcaSpec(name, core, ports, stated, limits, false, host);
    }

    /** The same HCA with its engine's thread elsewhere. */
    public HcaSpec withCore(CorePlacement other) {
        return new HcaSpec(name, other, ports, stated, limits, keyLockout, host);
    }

    /** The same HCA with an address for each port. */
    public HcaSpec withAddresses(List<Integer> addresses) {
        PortSettings wired =
                new PortSettings(ports.count(), ports.firstLid(), ports.mtuBytes(), ports.pkeys(), addresses);
        return new HcaSpec(name, core, wired, stated, limits, keyLockout, host);
    }

    /** As settings of the device domain. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(Boot.HCA_SETTING, name);
        settings.put(CorePlacement.SETTING, core.word());
        settings.put("hca.lid", Integer.toString(ports.firstLid()));
        settings.put(Boot.MTU_SETTING, Integer.toString(ports.mtuBytes()));
        settings.put("hca.ports", Integer.toString(ports.count()));
        settings.put(
                "hca.pkeys",
                String.join(",", ports.pkeys().stream().map("0x%04x"::formatted).toList()));
        if (!ports.addresses().isEmpty()) {
            settings.put(
                    "hca.addresses",
                    String.join(",", ports.addresses().stream().map(Ipv4::text).toList()));
        }
        settings.put("hca.max-qp", Integer.toString(limits.maxQp));
        settings.put("hca.max-cq", Integer.toString(limits.maxCq));
        settings.put("hca.max-mr", Integer.toString(limits.maxMr));
        settings.put("hca.max-pd", Integer.toString(limits.maxPd));
        settings.put("hca.key-lockout", keyLockout ? "on" : "off");
        return settings;
    }

    /**
     * The limit of the HCA that bounds quotas of {@code key}: it has as many windows as regions.
     */
    static String limitName(String key) {
        return key.equals("mw") ? "mr" : key;
    }

    /** The limit that the sum of the quotas {@code quota.<key>} must keep, or -1 for none. */
    long limitOf(String key) {
        return switch (key) {
            case "qp" -> limits.maxQp;
            case "cq" -> limits.maxCq;
            case "mr", "mw" -> limits.maxMr;
            case "pd" -> limits.maxPd;
            default -> -1;
        };
    }
}
