package io.hyperverbs.launcher.topology;

import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.launcher.failure.Suggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads the hosts of a topology, and on which of them an HCA is. */
final class HostReader {
    private static final String HOST = "host";

    private final JsonNode root;
    private final QuotaSums.Report report;
    private final List<HostSpec> hosts = new ArrayList<>();

    /**
     * @param root of a file that keeps to the schema
     */
    HostReader(JsonNode root, QuotaSums.Report report) {
        this.root = root;
        this.report = report;
        Map<Integer, String> addresses = new HashMap<>();
        for (Map.Entry<String, JsonNode> entry : root.path("hosts").properties()) {
            String name = entry.getKey();
            String pointer = "/hosts/" + name + "/address";
            JsonNode node = entry.getValue();
            int address = address(node.path("address").asString(), pointer);
            String other = addresses.putIfAbsent(address, name);
            if (other != null && address != 0) {
                report.problem(pointer, "address: " + other + " has " + Ipv4.text(address) + " already", "");
            }
            String target = node.path("target").asString(name);
            hosts.add(new HostSpec(name, address, target, node.path("hv").asString("")));
        }
    }

    List<HostSpec> hosts() {
        return hosts;
    }

    private int address(String text, String pointer) {
        try {
            int address = Ipv4.parse(text);
            if (Ipv4.isHosts(address)) {
                return address;
            }
            report.problem(pointer, "address: " + text + " is no host's address", "for example 10.9.0.1");
        } catch (IllegalArgumentException e) {
            report.problem(pointer, "address: " + e.getMessage(), "for example 10.9.0.1");
        }
        return 0;
    }

    /**
     * The host that an HCA is on; empty if the topology has none, and after a mistake, which is reported.
     *
     * @param pointer where the HCA stands in the file
     */
    String hostOf(JsonNode hca, String name, String pointer) {
        List<String> names = hosts.stream().map(HostSpec::name).toList();
        String host = hca.path(HOST).asString("");
        if (hosts.isEmpty() && !host.isEmpty()) {
            report.problem(pointer + "/host", "host: the topology has no hosts", "add hosts: with their addresses");
        } else if (!hosts.isEmpty() && host.isEmpty()) {
            report.problem(pointer, "HCA " + name + " is on no host", "add host: " + String.join(" or ", names));
        } else if (!hosts.isEmpty() && !names.contains(host)) {
            String near = Suggestion.hint(host, names);
            report.problem(
                    pointer + "/host",
                    "host: no host " + host,
                    near.isEmpty() ? "hosts: " + String.join(", ", names) : near);
        } else {
            return host;
        }
        return "";
    }

    /** Address of that host; 0 if it is none. */
    int addressOf(String host) {
        return hosts.stream()
                .filter(one -> one.name().equals(host))
                .mapToInt(HostSpec::address)
                .findFirst()
                .orElse(0);
    }

    /** A host is there for an HCA; and HCAs of several hosts have names, so they stand below hcas. */
    void check(List<HcaSpec> hcas) {
        if (!hosts.isEmpty() && !root.has("hcas")) {
            report.problem(
                    "/hosts",
                    "hosts without hcas",
                    "name HCAs with their hosts, such as hcas: { hv0: { host: "
                            + hosts.getFirst().name() + " } }");
            return;
        }
        for (HostSpec host : hosts) {
            if (hcas.stream().noneMatch(hca -> hca.host().equals(host.name()))) {
                report.problem("/hosts/" + host.name(), "no HCA is on host " + host.name(), "add one or leave it out");
            }
        }
    }
}
