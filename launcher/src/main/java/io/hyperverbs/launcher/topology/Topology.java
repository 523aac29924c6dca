package io.hyperverbs.launcher.topology;

import io.hyperverbs.vmm.domain.TimedFault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A machine with its HCAs and the domains that share them.
 *
 * @param hcas at least one; guests that name none are on the first
 * @param links wires between HCAs
 * @param checks what must hold
 * @param warnings what in the file has no effect in this version, one line each
 * @param source text of the file, or the name of a built-in topology
 * @param hosts the computers that it is spread over; none if it is on the one that starts it
 * @param faults what it does to itself while it runs, in the order of their times; who is killed is a guest or an HCA
 */
public record Topology(
        String name,
        List<HcaSpec> hcas,
        List<Link> links,
        List<Guest> guests,
        List<TopologyCheck> checks,
        List<String> warnings,
        String source,
        Hosts hosts,
        List<TimedFault> faults) {
    /** Names that no topology domain may have: they are the machine's own. */
    public static final List<String> RESERVED_NAMES = List.of("tool", "vmm", "backend");

    private static final String PART = "@";

    public Topology {
        hcas = List.copyOf(hcas);
        links = List.copyOf(links);
        guests = List.copyOf(guests);
        checks = List.copyOf(checks);
        warnings = List.copyOf(warnings);
        faults = List.copyOf(faults);
    }

    /** One on the computer that starts it. */
    public Topology(
            String name,
            List<HcaSpec> hcas,
            List<Link> links,
            List<Guest> guests,
            List<TopologyCheck> checks,
            List<String> warnings,
            String source) {
        this(name, hcas, links, guests, checks, warnings, source, Hosts.none(), List.of());
    }

    /** One with one HCA that has nothing to check. */
    public Topology(String name, HcaSpec hca, List<Guest> guests, List<String> warnings, String source) {
        this(name, List.of(hca), List.of(), guests, List.of(), warnings, source);
    }

    /** The only HCA, or the first. */
    public HcaSpec hca() {
        return hcas.getFirst();
    }

    /** The HCA that a guest is on. */
    public HcaSpec hcaOf(Guest guest) {
        return hcas.stream()
                .filter(hca -> hca.name().equals(guest.hca()))
                .findFirst()
                .orElseGet(this::hca);
    }

    /** The same machine with other HCAs of the same names. */
    public Topology withHcas(List<HcaSpec> others) {
        return new Topology(name, others, links, guests, checks, warnings, source, hosts, faults);
    }

    /** Whether it is spread over hosts. */
    public boolean isHosted() {
        return !hosts.all().isEmpty();
    }

    /** What of it is on a host: its HCAs and their guests; the HCAs of others are known by name and address. */
    public Topology part(String host) {
        Map<Boolean, List<HcaSpec>> here = hcas.stream()
                .collect(Collectors.partitioningBy(hca -> hca.host().equals(host)));
        List<HcaSpec> own = here.getOrDefault(true, List.of());
        List<Guest> served = guests.stream()
                .filter(guest -> own.contains(hcaOf(guest)))
                .map(guest -> guest.onHca(hcaOf(guest).name()))
                .toList();
        return new Topology(
                partName(name, host),
                own,
                links,
                served,
                checks,
                warnings,
                source,
                new Hosts(hosts.all(), here.getOrDefault(false, List.of())),
                faultsOf(host, own, served));
    }

    /** Those that concern a host, HCAs and guests. */
    private List<TimedFault> faultsOf(String host, List<HcaSpec> hcas, List<Guest> served) {
        Set<String> names = new HashSet<>();
        hcas.forEach(hca -> names.add(hca.name()));
        served.forEach(guest -> names.add(guest.name()));
        return faults.stream()
                .filter(fault -> switch (fault) {
                    case TimedFault.SetLink link -> names.contains(link.first()) || names.contains(link.second());
                    case TimedFault.Kill kill -> names.contains(kill.domain());
                    case TimedFault.EndHost end -> end.host().equals(host);
                })
                .toList();
    }

    /** Name of the machine that a topology is on one of its hosts; no topology of a file is called so. */
    public static String partName(String topology, String host) {
        return topology + PART + host;
    }

    /** Whether a machine of that name is a topology's part on one host. */
    public static boolean isPart(String machine) {
        return machine.contains(PART);
    }

    /** Name of the topology that a machine is, or is the part of. */
    public static String wholeName(String machine) {
        return isPart(machine) ? machine.substring(0, machine.indexOf(PART)) : machine;
    }

    /** The guests, with the quotas that each one's HCA leaves to those that state none. */
    static List<Guest> divided(List<HcaSpec> hcas, List<Guest> guests) {
        List<Guest> divided = new ArrayList<>(guests);
        for (HcaSpec hca : hcas) {
            List<Guest> on = QuotaShares.divide(hca, on(hca, hcas, guests));
            divided.replaceAll(guest -> on.stream()
                    .filter(one -> one.name().equals(guest.name()))
                    .findFirst()
                    .orElse(guest));
        }
        return divided;
    }

    /** The guests on one of these HCAs. */
    static List<Guest> on(HcaSpec hca, List<HcaSpec> hcas, List<Guest> guests) {
        boolean first = hca.equals(hcas.getFirst());
        return guests.stream()
                .filter(guest ->
                        guest.hca().equals(hca.name()) || (first && guest.hca().isEmpty()))
                .toList();
    }
}
