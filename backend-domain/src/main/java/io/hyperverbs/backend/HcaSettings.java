package io.hyperverbs.backend;

import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.transport.LockoutPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The HCA's limits from the settings of the backend domain: {@code hca.max-qp}, {@code max-cq},
 * {@code max-mr}, {@code max-pd}, {@code max-uar}, {@code max-cqe}, {@code max-ah}, {@code
 * max-mcast}, {@code lid}, {@code mtu}.
 */
final class HcaSettings {
    private HcaSettings() {}

    /**
     * The limits that {@code settings} ask for; what they do not name is the standard HCA's.
     *
     * @throws IllegalArgumentException if a number is none, or below 1
     */
    static HcaLimits limits(Map<String, String> settings) {
        HcaLimits standard = HcaLimits.standard();
        return new HcaLimits(
                number(settings, "hca.max-qp", standard.maxQp()),
                number(settings, "hca.max-cq", standard.maxCq()),
                number(settings, "hca.max-mr", standard.maxRegions()),
                number(settings, "hca.max-pd", standard.maxPd()),
                number(settings, "hca.max-uar", standard.maxUar()),
                number(settings, "hca.max-cqe", standard.maxCqe()),
                number(settings, "hca.max-ah", standard.maxAh()),
                number(settings, "hca.max-mcast", standard.maxMulticast()),
                number(settings, "hca.lid", standard.lid()),
                number(settings, "hca.mtu", standard.mtuBytes()));
    }

    /**
     * The ports that {@code settings} ask for: {@code hca.ports}, {@code hca.pkeys} as numbers with
     * commas between them, and {@code hca.addresses}, IPv4 addresses of all ports with commas.
     *
     * @throws IllegalArgumentException if a number is none, or out of range
     */
    static PortSettings ports(Map<String, String> settings) {
        HcaLimits limits = limits(settings);
        PortSettings standard = PortSettings.standard(limits.lid(), limits.mtuBytes());
        String pkeys = settings.get("hca.pkeys");
        return new PortSettings(
                number(settings, "hca.ports", standard.count()),
                standard.firstLid(),
                standard.mtuBytes(),
                pkeys == null ? standard.pkeys() : PkeyTable.parse(pkeys).pkeys(),
                addresses(settings.get("hca.addresses")));
    }

    private static List<Integer> addresses(@Nullable String text) {
        List<Integer> addresses = new ArrayList<>();
        for (String one : text == null ? new String[0] : text.split(",", -1)) {
            int address = Ipv4.parse(one);
            if (!Ipv4.isHosts(address)) {
                throw new IllegalArgumentException("hca.addresses: " + one + " is no host's address");
            }
            addresses.add(address);
        }
        return addresses;
    }

    /**
     * Whether domains that guess keys pause: {@code hca.key-lockout}, {@code on} or {@code off}.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static LockoutPolicy keyLockout(Map<String, String> settings) {
        String value = settings.getOrDefault("hca.key-lockout", "on");
        return switch (value) {
            case "on" -> LockoutPolicy.standard();
            case "off" -> LockoutPolicy.off();
            default -> throw new IllegalArgumentException("hca.key-lockout " + value + ", must be on or off");
        };
    }

    private static int number(Map<String, String> settings, String key, int standard) {
        String value = settings.get(key);
        if (value == null) {
            return standard;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, like any other value that is not allowed.
        }
        throw new IllegalArgumentException(key + " " + value + ", must be a whole number from 1");
    }
}
