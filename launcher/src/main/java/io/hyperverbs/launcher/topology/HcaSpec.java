package io.hyperverbs.launcher.topology;

import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.vmm.cores.CorePlacement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The HCA of a topology.
 *
 * @param core whether its engine has a core to itself
 * @param ports how many ports it has
 * @param pkeys P_Key table of each port
 * @param keyLockout whether a guest that guesses keys of another has to pause
 */
public record HcaSpec(
        String name,
        CorePlacement core,
        int mtuBytes,
        int ports,
        List<Integer> pkeys,
        int maxQp,
        int maxCq,
        int maxMr,
        int maxPd,
        boolean keyLockout) {
    public HcaSpec {
        pkeys = List.copyOf(pkeys);
    }

    /** The HCA of a topology that says nothing else. */
    public static HcaSpec standard() {
        HcaLimits limits = HcaLimits.standard();
        PortSettings ports = PortSettings.standard(limits.lid(), limits.mtuBytes());
        return new HcaSpec(
                "hv0",
                CorePlacement.DEDICATED,
                limits.mtuBytes(),
                ports.count(),
                ports.pkeys(),
                limits.maxQp(),
                limits.maxCq(),
                limits.maxRegions(),
                limits.maxPd(),
                true);
    }

    /** The same HCA, on which a guest may miss keys as often as it likes. */
    public HcaSpec withoutKeyLockout() {
        return new HcaSpec(name, core, mtuBytes, ports, pkeys, maxQp, maxCq, maxMr, maxPd, false);
    }

    /** The same HCA with its engine's thread elsewhere. */
    public HcaSpec withCore(CorePlacement other) {
        return new HcaSpec(name, other, mtuBytes, ports, pkeys, maxQp, maxCq, maxMr, maxPd, keyLockout);
    }

    /** As settings of the device domain. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("hca.name", name);
        settings.put(CorePlacement.SETTING, core.word());
        settings.put("hca.mtu", Integer.toString(mtuBytes));
        settings.put("hca.ports", Integer.toString(ports));
        settings.put(
                "hca.pkeys",
                String.join(
                        ",", pkeys.stream().map(key -> "0x%04x".formatted(key)).toList()));
        settings.put("hca.max-qp", Integer.toString(maxQp));
        settings.put("hca.max-cq", Integer.toString(maxCq));
        settings.put("hca.max-mr", Integer.toString(maxMr));
        settings.put("hca.max-pd", Integer.toString(maxPd));
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
            case "qp" -> maxQp;
            case "cq" -> maxCq;
            case "mr", "mw" -> maxMr;
            case "pd" -> maxPd;
            default -> -1;
        };
    }
}
