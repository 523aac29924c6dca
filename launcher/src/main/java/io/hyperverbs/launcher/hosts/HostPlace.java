package io.hyperverbs.launcher.hosts;

import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.launcher.machine.VmmIdentity;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.HostSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A host of a running topology.
 *
 * @param address IPv4 address that it is asked at, as text
 * @param port TCP port there
 * @param process here, that brought the node there and ends with it; empty where something else starts nodes
 * @param domains names of its device domains and guests from the start
 */
public record HostPlace(String name, String address, int port, Optional<VmmIdentity> process, List<String> domains) {
    public HostPlace {
        domains = List.copyOf(domains);
    }

    /** That of a topology's host, with what is on it from the start. */
    static HostPlace of(Topology topology, HostSpec host, int port, Optional<VmmIdentity> process) {
        Topology part = topology.part(host.name());
        List<String> domains = new ArrayList<>();
        part.hcas().stream().map(HcaSpec::name).forEach(domains::add);
        part.guests().stream().map(Guest::name).forEach(domains::add);
        return new HostPlace(host.name(), Ipv4.text(host.address()), port, process, domains);
    }

    /** That process, if it lives. */
    public Optional<ProcessHandle> alive() {
        return process.flatMap(VmmIdentity::process);
    }
}
