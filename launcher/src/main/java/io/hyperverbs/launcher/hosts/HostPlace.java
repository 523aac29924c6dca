package io.hyperverbs.launcher.hosts;

import io.hyperverbs.launcher.machine.VmmIdentity;
import java.util.List;

/**
 * A host of a running topology.
 *
 * @param address IPv4 address that it is asked at, as text
 * @param port TCP port there
 * @param process here, that brought the node there and ends with it
 * @param domains names of its device domains and guests from the start
 */
public record HostPlace(String name, String address, int port, VmmIdentity process, List<String> domains) {
    public HostPlace {
        domains = List.copyOf(domains);
    }
}
