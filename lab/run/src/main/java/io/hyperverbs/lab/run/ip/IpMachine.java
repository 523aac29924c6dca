package io.hyperverbs.lab.run.ip;

import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Machines with two domains on each path, all on one link of IP. Stateless. */
public final class IpMachine {
    private IpMachine() {}

    /**
     * Two domains on each path.
     *
     * @param mode of the link, as topologies name it
     * @param origin the command that asks for it
     */
    public static Topology topology(String name, String mode, String origin) throws HvException {
        String text = """
            apiVersion: hv/v1
            name: NAME
            hca: { mtu: 4096 }
            defaults: { guest: { memory: 32MiB, executables: { count: 1, memory: 1MiB } } }
            guests:
              native-1: { native: true, ip: { address: 10.1.0.1/24, mode: MODE } }
              native-2: { native: true, ip: { address: 10.1.0.2/24, mode: MODE } }
              bypass-1: { ip: { address: 10.1.0.3/24, mode: MODE } }
              bypass-2: { ip: { address: 10.1.0.4/24, mode: MODE } }
              forwarded-1: { path: forwarded, ip: { address: 10.1.0.5/24, mode: MODE } }
              forwarded-2: { path: forwarded, ip: { address: 10.1.0.6/24, mode: MODE } }
            """.replace("NAME", name).replace("MODE", mode);
        return TopologyLoader.parse(origin, text, new LabPrograms());
    }

    /** The pair of each path, native first. */
    public static List<IpPair> pairs(RunningMachine machine) throws MachineException {
        Map<String, Path> networks = new TreeMap<>();
        for (DomainReport domain : machine.client().status().domains()) {
            networks.put(domain.name(), Path.of(domain.network()));
        }
        return List.of(
                pair(networks, "native", "10.1.0.2"),
                pair(networks, "bypass", "10.1.0.4"),
                pair(networks, "forwarded", "10.1.0.6"));
    }

    private static IpPair pair(Map<String, Path> networks, String path, String address) {
        return new IpPair(
                path,
                networks.getOrDefault(path + "-1", Path.of("")),
                networks.getOrDefault(path + "-2", Path.of("")),
                address);
    }
}
