package io.hyperverbs.launcher.topology;

import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.vmm.domain.TimedFault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Reads what a topology does to itself while it runs. What {@code down} and {@code up} leave of a link's settings is what
 * the file has set by then, so that the same file means the same, whatever else has changed the link.
 */
final class FaultReader {
    private static final String LINK = "link";
    private static final String SET = "set";
    private static final String KILL = "kill";
    private static final String HOST = "host";

    private final List<Link> links;
    private final List<String> domains;
    private final List<String> hosts;
    private final QuotaSums.Report report;
    private final Map<String, LinkSettings> settings = new HashMap<>();

    private record Item(long atNanos, JsonNode node, String pointer) {}

    /**
     * @param domains names of all HCAs and guests
     * @param hosts names; none of a topology on one computer
     */
    FaultReader(List<Link> links, List<String> domains, List<String> hosts, QuotaSums.Report report) {
        this.links = List.copyOf(links);
        this.domains = List.copyOf(domains);
        this.hosts = List.copyOf(hosts);
        this.report = report;
        links.forEach(link -> settings.put(link.name(), link.settings()));
    }

    /**
     * In the order of their times, those of one time in the order of the file; those without a mistake.
     *
     * @param nodes {@code faults} of a file that keeps to the schema
     */
    List<TimedFault> faults(JsonNode nodes) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            String pointer = "/faults/" + i;
            items.add(new Item(at(nodes.get(i).path("at"), pointer + "/at"), nodes.get(i), pointer));
        }
        items.sort(Comparator.comparingLong(Item::atNanos));
        List<TimedFault> faults = new ArrayList<>();
        items.forEach(item -> read(item, faults));
        return faults;
    }

    private long at(JsonNode node, String pointer) {
        try {
            return Units.duration(node.asString()).toNanos();
        } catch (IllegalArgumentException e) {
            report.problem(pointer, "at: " + e.getMessage(), "for example 10s");
            return 0;
        }
    }

    private void read(Item item, List<TimedFault> faults) {
        JsonNode node = item.node;
        boolean isOfLink = node.has(LINK) || node.has(SET);
        int kinds = (isOfLink ? 1 : 0) + (node.has(KILL) ? 1 : 0) + (node.has(HOST) ? 1 : 0);
        if (kinds != 1) {
            report.problem(
                    item.pointer,
                    kinds == 0 ? "a fault that does nothing" : "a fault that does several things",
                    "write link: and set:, kill:, or host:");
        } else if (isOfLink) {
            link(item, faults);
        } else if (node.has(KILL)) {
            kill(item, faults);
        } else {
            end(item, faults);
        }
    }

    private void link(Item item, List<TimedFault> faults) {
        String missing = item.node.has(LINK) ? SET : LINK;
        if (!item.node.has(missing)) {
            report.problem(item.pointer, "key '" + missing + "' is missing", "write link: hv0-hv1 and set: down");
            return;
        }
        String name = item.node.path(LINK).asString();
        Link link = links.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElse(null);
        if (link == null) {
            report.problem(YamlTree.child(item.pointer, LINK), "link: no link " + name, hint(name));
            return;
        }
        try {
            LinkSettings before = settings.getOrDefault(name, link.settings());
            LinkSettings after = before.changed(item.node.path(SET).asString());
            settings.put(name, after);
            faults.add(new TimedFault.SetLink(item.atNanos, link.first(), link.second(), after.text()));
        } catch (IllegalArgumentException e) {
            report.problem(
                    YamlTree.child(item.pointer, SET),
                    "set: " + e.getMessage(),
                    "down, up, none, or settings such as loss=1% delay=10us");
        }
    }

    private String hint(String name) {
        for (Link link : links) {
            if (name.equals(link.second() + "-" + link.first())) {
                return "it is called " + link.name();
            }
        }
        List<String> names = links.stream().map(Link::name).toList();
        String near = Suggestion.hint(name, names);
        String all = names.isEmpty() ? "there is none: add hcas" : "there is " + String.join(", ", names);
        return near.isEmpty() ? all : near;
    }

    private void kill(Item item, List<TimedFault> faults) {
        String name = item.node.path(KILL).asString();
        if (!domains.contains(name)) {
            String near = Suggestion.hint(name, domains);
            report.problem(
                    YamlTree.child(item.pointer, KILL),
                    "kill: no HCA and no guest " + name,
                    near.isEmpty() ? "there is " + String.join(", ", domains) : near);
            return;
        }
        faults.add(new TimedFault.Kill(item.atNanos, name));
    }

    private void end(Item item, List<TimedFault> faults) {
        String name = item.node.path(HOST).asString();
        if (!hosts.contains(name)) {
            String near = Suggestion.hint(name, hosts);
            String all = hosts.isEmpty() ? "there is none: add hosts" : "there is " + String.join(", ", hosts);
            report.problem(YamlTree.child(item.pointer, HOST), "host: no host " + name, near.isEmpty() ? all : near);
            return;
        }
        faults.add(new TimedFault.EndHost(item.atNanos, name));
    }
}
