package io.hyperverbs.hca.port;

import java.util.List;
import java.util.Map;

/**
 * What the ports of an HCA are called on its wire, and where LIDs of other HCAs lead. IPv4 addresses have their first
 * byte in the highest bits. Immutable; any thread.
 *
 * @param own IPv4 addresses of the ports, port 1 first; empty if the HCA has no wire
 * @param byLid IPv4 address of the port that has that LID, of other HCAs of the topology
 */
public record WireAddresses(List<Integer> own, Map<Integer, Integer> byLid) {
    private static final WireAddresses NONE = new WireAddresses(List.of(), Map.of());

    public WireAddresses {
        own = List.copyOf(own);
        byLid = Map.copyOf(byLid);
        if (own.contains(0) || byLid.containsValue(0)) {
            throw new IllegalArgumentException("0.0.0.0 is no port's address");
        }
    }

    /** Of an HCA without a wire. */
    public static WireAddresses none() {
        return NONE;
    }

    /** The port's own address; 0 if it is on no wire. */
    public int of(int port) {
        return port >= 1 && port <= own.size() ? own.get(port - 1) : 0;
    }

    /** The port with that address, or 0. */
    public int port(int address) {
        return own.indexOf(address) + 1;
    }

    /** The address of the other HCA's port with that LID, 0 if no wire leads there. */
    public int ofLid(int lid) {
        return byLid.getOrDefault(lid, 0);
    }
}
