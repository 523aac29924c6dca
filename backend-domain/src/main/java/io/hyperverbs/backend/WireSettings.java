package io.hyperverbs.backend;

import io.hyperverbs.backend.sa.NeighbourHcas;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the wires of an HCA lead to, from the settings of its device domain: for each neighbour {@code
 * wire.NAME.link}, the link's name in the topology, {@code wire.NAME.ports}, such as {@code
 * 3=127.10.0.3,4=127.10.0.4}, and, if the link is impaired, {@code wire.NAME.settings}, such as {@code loss=0.1%
 * delay=10us}. Immutable.
 *
 * @param addresses the HCA's own by port, and those of all neighbours by LID
 * @param neighbours by name of the HCA
 */
record WireSettings(WireAddresses addresses, Map<String, Neighbour> neighbours) {
    private static final Pattern KEY = Pattern.compile("wire\\.([a-z][a-z0-9]{0,15})\\.(link|ports|settings)");
    private static final int LAST_UNICAST_LID = 0xbfff;

    /**
     * Another HCA with a wire to this one.
     *
     * @param link name of the wire between the two
     * @param ports IPv4 address of each port, by LID
     * @param settings what happens to packets from there
     */
    record Neighbour(String link, Map<Integer, Integer> ports, LinkSettings settings) {
        Neighbour {
            ports = Map.copyOf(ports);
        }
    }

    WireSettings {
        neighbours = Map.copyOf(neighbours);
    }

    /**
     * Reads {@code settings} of an HCA with those ports.
     *
     * @throws IllegalArgumentException for a key, LID or address that is none, is there twice or is this HCA's own; for
     *     settings of a link that are none; and for neighbours of an HCA without addresses
     */
    static WireSettings of(Map<String, String> settings, PortSettings ports) {
        Map<String, String> links = new TreeMap<>();
        Map<String, Map<Integer, Integer>> places = new TreeMap<>();
        Map<String, LinkSettings> impaired = new TreeMap<>();
        settings.forEach((key, value) -> {
            if (key.startsWith("wire.")) {
                Matcher matcher = KEY.matcher(key);
                require(matcher.matches(), key + " is no setting of a wire");
                String name = matcher.group(1);
                switch (matcher.group(2)) {
                    case "link" -> links.put(name, value);
                    case "ports" -> places.put(name, ports(key, value));
                    default -> impaired.put(name, linkSettings(key, value));
                }
            }
        });
        require(links.keySet().equals(places.keySet()), "wires " + links.keySet() + " to ports of " + places.keySet());
        require(links.keySet().containsAll(impaired.keySet()), "settings of no wires: " + impaired.keySet());
        require(links.isEmpty() || !ports.addresses().isEmpty(), "wires of an HCA without addresses");
        Map<String, Neighbour> neighbours = new HashMap<>();
        places.forEach((name, there) -> {
            LinkSettings happens = impaired.getOrDefault(name, LinkSettings.none());
            neighbours.put(name, new Neighbour(link(name, links.get(name)), there, happens));
        });
        return new WireSettings(new WireAddresses(ports.addresses(), byLid(places, ports)), neighbours);
    }

    private static LinkSettings linkSettings(String key, String value) {
        try {
            return LinkSettings.of(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
    }

    /** The other HCAs, each at the address of its first port, where its QP1 answers. */
    NeighbourHcas hcas() {
        List<Integer> first = neighbours.values().stream()
                .map(there -> new TreeMap<>(there.ports()).firstEntry().getValue())
                .toList();
        return new NeighbourHcas(addresses, first);
    }

    /**
     * Impairs the links of an HCA on that wire as they are to be; before its engine runs, or from any thread.
     *
     * @throws IllegalStateException if the HCA refuses one
     */
    void impair(Hca hca) {
        for (Neighbour there : neighbours.values()) {
            if (!there.settings().isNone()) {
                Outcome outcome = impair(hca, there, there.settings());
                if (outcome.status() != VerbsStatus.SUCCESS) {
                    throw new IllegalStateException(outcome.message());
                }
            }
        }
    }

    /** Sets what happens to packets from a neighbour, on all ports; what the HCA says if it refuses. */
    Outcome impair(Hca hca, Neighbour there, LinkSettings settings) {
        for (int port = 1; port <= addresses.own().size(); port++) {
            for (int address : there.ports().values()) {
                VerbsStatus status = hca.impair(port, address, settings);
                if (status != VerbsStatus.SUCCESS) {
                    return new Outcome(
                            status,
                            "link " + there.link() + " from " + Ipv4.text(address) + " to port " + port + ": "
                                    + status);
                }
            }
        }
        return new Outcome(VerbsStatus.SUCCESS, "");
    }

    private static String link(String name, @Nullable String link) {
        require(link != null && !link.isBlank(), "wire." + name + ".link names no link");
        return String.valueOf(link);
    }

    private static Map<Integer, Integer> ports(String key, String value) {
        Map<Integer, Integer> ports = new TreeMap<>();
        for (String port : value.split(",", -1)) {
            String[] parts = port.split("=", -1);
            require(parts.length == 2 && parts[0].matches("[1-9][0-9]{0,4}"), key + " " + value + ": no LID=address");
            int lid = Integer.parseInt(parts[0]);
            int address = Ipv4.parse(parts[1]);
            require(lid <= LAST_UNICAST_LID, key + ": LID " + lid + ", at most " + LAST_UNICAST_LID);
            require(Ipv4.isHosts(address), key + ": " + parts[1] + " is no host's address");
            require(ports.put(lid, address) == null, key + ": LID " + lid + " is there twice");
        }
        require(ports.size() <= PortSettings.MAX_PORTS, key + ": " + ports.size() + " ports");
        return ports;
    }

    private static Map<Integer, Integer> byLid(Map<String, Map<Integer, Integer>> places, PortSettings own) {
        Map<Integer, Integer> byLid = new HashMap<>();
        Set<Integer> taken = new HashSet<>(own.addresses());
        places.forEach((name, ports) -> ports.forEach((lid, address) -> {
            String what = "port of " + name + " with LID " + lid;
            require(!own.isPort(lid - own.firstLid() + 1), what + ": it is this HCA's own");
            require(byLid.put(lid, address) == null, what + ": another HCA has it too");
            require(taken.add(address), what + ": address " + Ipv4.text(address) + " is another port's");
        }));
        return byLid;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
