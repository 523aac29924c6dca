package io.hyperverbs.hca.port;

import io.hyperverbs.hca.number.IntTable;
import java.util.List;
import java.util.Map;

/**
 * What the ports of an HCA are called on its wire, and where LIDs lead. IPv4 addresses have their first byte in the
 * highest bits. Immutable; any thread.
 */
public final class WireAddresses {
    private static final WireAddresses NONE = new WireAddresses(List.of(), Map.of());

    private final List<Integer> own;
    private final Map<Integer, Integer> byLid;
    // What is asked for each packet, without boxes.
    private final int[] ports;
    private final IntTable lids;

    /**
     * @param own IPv4 addresses of the ports, port 1 first; empty if the HCA has no wire
     * @param byLid IPv4 address of the port that has that LID, of other HCAs of the topology; of an own port, if what is
     *     for it is to go out and come back
     */
    public WireAddresses(List<Integer> own, Map<Integer, Integer> byLid) {
        this.own = List.copyOf(own);
        this.byLid = Map.copyOf(byLid);
        if (own.contains(0) || byLid.containsValue(0)) {
            throw new IllegalArgumentException("0.0.0.0 is no port's address");
        }
        ports = own.stream().mapToInt(Integer::intValue).toArray();
        lids = new IntTable(byLid.size());
        byLid.forEach((lid, address) -> {
            if (!lids.contains(address)) {
                lids.put(address, lid);
            }
        });
    }

    /** Of an HCA without a wire. */
    public static WireAddresses none() {
        return NONE;
    }

    /** Addresses of the ports. */
    public List<Integer> own() {
        return own;
    }

    /** The port's own address; 0 if it is on no wire. */
    public int of(int port) {
        return port >= 1 && port <= ports.length ? ports[port - 1] : 0;
    }

    /** The port with that address, or 0. */
    public int port(int address) {
        for (int i = 0; i < ports.length; i++) {
            if (ports[i] == address) {
                return i + 1;
            }
        }
        return 0;
    }

    /** LID of the port with that address; 0 if the topology has none. */
    public int lidOf(int address) {
        return Math.max(0, lids.get(address));
    }

    /** The address that messages to that LID go to, 0 if no wire leads there. */
    public int ofLid(int lid) {
        return byLid.getOrDefault(lid, 0);
    }
}
