package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.port.WireAddresses;
import java.util.List;

/**
 * The network that an HCA is on. Immutable.
 *
 * @param addresses of the HCA's ports and of other HCAs
 * @param ports the ways of the HCA's ports to it, port 1 first; as many as there are own addresses
 */
public record Network(WireAddresses addresses, List<PacketPort> ports) {
    private static final Network NONE = new Network(WireAddresses.none(), List.of());

    public Network {
        ports = List.copyOf(ports);
        if (ports.size() != addresses.own().size()) {
            throw new IllegalArgumentException(
                    ports.size() + " ports with " + addresses.own().size() + " addresses");
        }
    }

    /** No network: an HCA without a wire. */
    public static Network none() {
        return NONE;
    }
}
