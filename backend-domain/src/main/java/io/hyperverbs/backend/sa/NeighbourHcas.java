package io.hyperverbs.backend.sa;

import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.verbs.Gid;
import java.util.List;

/**
 * The other HCAs of a topology that wires lead to. Immutable; any thread.
 *
 * @param wire addresses of this HCA and, by LID, of the others
 * @param addresses IPv4 address of port 1 of each other HCA, its first byte in the highest bits
 */
public record NeighbourHcas(WireAddresses wire, List<Integer> addresses) {
    /** HCAs that are asked for a guest. */
    private static final int MAX = 256;

    private static final NeighbourHcas NONE = new NeighbourHcas(WireAddresses.none(), List.of());

    public NeighbourHcas {
        addresses = List.copyOf(addresses);
        if (addresses.size() > MAX) {
            throw new IllegalArgumentException(addresses.size() + " neighbours, must be at most " + MAX);
        }
    }

    /** Of an HCA without a wire. */
    public static NeighbourHcas none() {
        return NONE;
    }

    /** Whether it is port 1 of an HCA of the topology. */
    public boolean has(int address) {
        return addresses.contains(address);
    }

    /** Address of the HCA that a guest's GID belongs to; 0 if that is none of these. */
    public int addressOf(Gid guest) {
        int address = wire.ofLid(PortSettings.firstLidOf(guest));
        return addresses.contains(address) ? address : 0;
    }
}
