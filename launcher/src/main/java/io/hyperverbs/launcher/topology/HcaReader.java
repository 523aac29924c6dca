package io.hyperverbs.launcher.topology;

import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.vmm.cores.CorePlacement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads the HCAs of a topology file and the links between them. */
final class HcaReader {
    private final JsonNode root;
    private final QuotaSums.Report report;
    private final HostReader hosts;
    private final List<HcaSpec> hcas;
    private final Map<Integer, String> addresses = new HashMap<>();

    /**
     * @param root of a file that keeps to the schema
     */
    HcaReader(JsonNode root, QuotaSums.Report report) {
        this.root = root;
        this.report = report;
        this.hosts = new HostReader(root, report);
        this.hcas = root.has("hcas") ? several() : List.of(one());
        hosts.check(hcas);
    }

    /** The computers that the HCAs are on, if the topology names any. */
    List<HostSpec> hosts() {
        return hosts.hosts();
    }

    /** In the order of the file. */
    List<HcaSpec> hcas() {
        return hcas;
    }

    /** Names of all. */
    List<String> names() {
        return hcas.stream().map(HcaSpec::name).toList();
    }

    /** Where an HCA stands in the file: {@code hca}, or {@code hcas.NAME}. */
    String key(HcaSpec hca) {
        return root.has("hcas") ? "hcas." + hca.name() : "hca";
    }

    private HcaSpec one() {
        JsonNode node = root.path("hca");
        String name = node.path("name").asString(HcaSpec.standard().name());
        if (node.has("host")) {
            report.problem("/hca/host", "host: a topology with hosts names its HCAs", "write hcas: instead of hca:");
        }
        return hca(name, node, "/hca", 0, "", node.has("address") || node.has("address-2"));
    }

    private List<HcaSpec> several() {
        if (root.has("hca")) {
            report.problem("/hcas", "hca and hcas in one file", "hca is short for hcas with one HCA: leave one out");
        }
        List<HcaSpec> all = new ArrayList<>();
        boolean wired = root.path("hcas").size() > 1 || root.has("hosts");
        for (Map.Entry<String, JsonNode> entry : root.path("hcas").properties()) {
            String name = entry.getKey();
            String pointer = "/hcas/" + name;
            JsonNode node = entry.getValue();
            if (node.has("name")) {
                report.problem(pointer + "/name", "name: the HCA is called " + name + " already", "leave it out");
            }
            if (wired && Topology.RESERVED_NAMES.contains(name)) {
                report.problem(pointer, "name '" + name + "' is the machine's own", "choose another");
            }
            boolean stated = node.has("address") || node.has("address-2");
            String host = hosts.hostOf(node, name, pointer);
            all.add(hca(name, node, pointer, all.size(), host, wired || stated));
        }
        return all;
    }

    private HcaSpec hca(String name, JsonNode node, String pointer, int place, String host, boolean wired) {
        HcaSpec standard = HcaSpec.standard();
        JsonNode limits = node.path("limits");
        PortSettings ports = new PortSettings(
                node.path("ports")
                        .asInt(
                                host.isEmpty() || node.has("address-2")
                                        ? standard.ports().count()
                                        : 1),
                HcaSpec.lidAt(place),
                node.path("mtu").asInt(standard.ports().mtuBytes()),
                new PartitionReader(report)
                        .pkeys(
                                node.path("pkeys"),
                                pointer + "/pkeys",
                                standard.ports().pkeys()));
        return new HcaSpec(
                name,
                CorePlacement.valueOf(
                        node.path("core").asString(standard.core().word()).toUpperCase(Locale.ROOT)),
                ports,
                wired ? addresses(name, node, pointer, ports.count(), host) : List.of(),
                new HcaSpec.Limits(
                        limits.path("max-qp").asInt(standard.limits().maxQp()),
                        limits.path("max-cq").asInt(standard.limits().maxCq()),
                        limits.path("max-mr").asInt(standard.limits().maxMr()),
                        limits.path("max-pd").asInt(standard.limits().maxPd())),
                node.path("key-lockout").asBoolean(standard.keyLockout()),
                host);
    }

    private List<Integer> addresses(String name, JsonNode node, String pointer, int ports, String host) {
        List<Integer> stated = new ArrayList<>();
        for (int port = 1; port <= PortSettings.MAX_PORTS; port++) {
            String key = port == 1 ? "address" : "address-" + port;
            if (port == 1 && !host.isEmpty() && !node.has(key)) {
                stated.add(addressOfHost(name, host, pointer));
            } else if (port <= ports) {
                if (!host.isEmpty() && !node.has(key)) {
                    report.problem(
                            pointer,
                            name + " has a second port without an address",
                            "add address-2, one of " + host + "'s, or leave ports out");
                }
                stated.add(address(name, node.path(key), key, pointer + "/" + key));
            } else if (node.has(key)) {
                report.problem(pointer + "/" + key, key + ": " + name + " has " + ports + " port", "leave it out");
            }
        }
        return stated;
    }

    /** Port 1 of an HCA that states nothing has its host's address; of two HCAs of one host one has to state another. */
    private int addressOfHost(String name, String host, String pointer) {
        int address = hosts.addressOf(host);
        String other = addresses.putIfAbsent(address, name + ".address");
        if (other != null) {
            report.problem(
                    pointer,
                    "address: " + other + " has " + Ipv4.text(address) + " of host " + host + " already",
                    "give one of the two an address of its own; " + host + " must have it");
        }
        return address;
    }

    /** 0 if none is stated, or none that can be used. */
    private int address(String name, JsonNode node, String key, String pointer) {
        if (node.isMissingNode()) {
            return 0;
        }
        String text = node.asString();
        try {
            int address = Ipv4.parse(text);
            String other = addresses.putIfAbsent(address, name + "." + key);
            if (!Ipv4.isHosts(address)) {
                report.problem(pointer, key + ": " + text + " is no host's address", "for example 127.10.0.1");
            } else if (other != null) {
                report.problem(pointer, key + ": " + other + " has " + text + " already", "each port has its own");
            }
            return address;
        } catch (IllegalArgumentException e) {
            report.problem(pointer, key + ": " + e.getMessage(), "for example 127.10.0.1");
            return 0;
        }
    }

    /** The wires: those of the file, or one between each two HCAs. */
    List<Link> links() {
        if (!root.has("links")) {
            return Link.betweenAll(hcas);
        }
        List<Link> links = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : root.path("links").properties()) {
            link(entry.getKey(), entry.getValue(), links);
        }
        return links;
    }

    private void link(String name, JsonNode node, List<Link> links) {
        String pointer = YamlTree.child("/links", name);
        String[] ends = name.split("-", -1);
        if (ends.length != 2) {
            report.problem(pointer, "link '" + name + "' names no two HCAs", "write it as hv0-hv1");
            return;
        }
        for (String end : ends) {
            if (!names().contains(end)) {
                report.problem(pointer, "link " + name + ": no HCA " + end, hint(end));
                return;
            }
        }
        if (ends[0].equals(ends[1])) {
            report.problem(pointer, "link " + name + " leads from " + ends[0] + " to itself", "");
            return;
        }
        for (Link other : links) {
            if (other.joins(ends[0], ends[1])) {
                report.problem(pointer, "link " + name + " is " + other.name() + " again", "leave one out");
                return;
            }
        }
        links.add(new Link(ends[0], ends[1], new LinkReader(pointer, report).settings(node)));
    }

    /** What to write instead of a name that no HCA has. */
    String hint(String name) {
        String near = Suggestion.hint(name, names());
        String all = names().size() == 1 ? "there is " : "there are ";
        return near.isEmpty() ? all + String.join(", ", names()) : near;
    }
}
