package io.hyperverbs.hca.port;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.Pkey;
import java.util.List;

/**
 * The ports of an HCA; all are in one subnet. Immutable; any thread.
 *
 * @param count ports, 1 to {@link #MAX_PORTS}
 * @param firstLid address of port 1; the next port has the next one
 * @param mtuBytes of each port
 * @param pkeys P_Key table of each port, 1 to {@link #MAX_PKEYS} entries
 * @param addresses IPv4 address of each port, port 1 first; empty if the HCA is on no wire
 */
public record PortSettings(int count, int firstLid, int mtuBytes, List<Integer> pkeys, List<Integer> addresses) {
    public static final int MAX_PORTS = 2;
    public static final int MAX_PKEYS = 128;

    /** Entries of each GID table at least: the port's own GID. */
    public static final int GIDS = 1;

    private static final int STANDARD_PORTS = 2;
    // "HV" under the locally administered EUI-64 prefix; the LID tells the HCAs of a subnet apart.
    private static final long GUID_PREFIX = 0x0248_5600_0000_0000L;
    private static final int GUID_SHIFT = 40;
    private static final int LID_SHIFT = 8;
    // Where a domain's GID has the domain's number; the GIDs of ports are 0 there.
    private static final int DOMAIN_SHIFT = 24;
    private static final long DOMAIN_MASK = 0xffff;

    public PortSettings {
        pkeys = new PkeyTable(pkeys).pkeys();
        addresses = List.copyOf(addresses);
        if (count < 1 || count > MAX_PORTS) {
            throw new IllegalArgumentException(count + " ports, must be 1 to " + MAX_PORTS);
        }
        if (!addresses.isEmpty() && addresses.stream().distinct().count() != count) {
            throw new IllegalArgumentException(addresses.size() + " addresses of " + count + " ports, or not distinct");
        }
    }

    /** Ports of an HCA that is on no wire. */
    public PortSettings(int count, int firstLid, int mtuBytes, List<Integer> pkeys) {
        this(count, firstLid, mtuBytes, pkeys, List.of());
    }

    /**
     * Two ports, and a second partition beside the default one, of which the ports are a full
     * member by entry 1 and a limited one by entry 2.
     */
    public static PortSettings standard(int firstLid, int mtuBytes) {
        return new PortSettings(STANDARD_PORTS, firstLid, mtuBytes, List.of(Pkey.DEFAULT, 0x8001, 0x0001));
    }

    /** Its P_Keys by index. */
    public PkeyTable pkeyTable() {
        return new PkeyTable(pkeys);
    }

    /** The same ports as a domain sees them that has these P_Keys. */
    public PortSettings with(PkeyTable table) {
        return new PortSettings(count, firstLid, mtuBytes, table.pkeys(), addresses);
    }

    /** Whether there is such a port; ports count from 1. */
    public boolean isPort(int port) {
        return port >= 1 && port <= count;
    }

    public int lid(int port) {
        return firstLid + port - 1;
    }

    /** The port with that LID, or 0 if it is none of this HCA. */
    public int portOf(int lid) {
        int port = lid - firstLid + 1;
        return isPort(port) ? port : 0;
    }

    /** LID of the port that takes what is for that GID, of this HCA or, if its number says so, of another one; 0: none. */
    public int lidOf(Gid gid) {
        int port = portOf(gid);
        if (port > 0) {
            return lid(port);
        }
        return domainOf(gid) != 0 ? lid(1) : lidElsewhere(gid);
    }

    private int lidElsewhere(Gid gid) {
        int first = firstLidOf(gid);
        return first == 0 || first == firstLid ? 0 : first + (int) (gid.interfaceId() & 0xff) - 1;
    }

    /** The port in whose GID table that GID is, or 0. */
    public int portOf(Gid gid) {
        for (int port = 1; port <= count; port++) {
            for (int index = 0; index < gids(); index++) {
                if (gid(port, index).equals(gid)) {
                    return port;
                }
            }
        }
        return 0;
    }

    /** Entries of each port's GID table. */
    public int gids() {
        return addresses.isEmpty() ? GIDS : GIDS + 1;
    }

    /**
     * An entry of a port's GID table: its own GID, then that of its IPv4 address.
     *
     * @param index from 0, below {@link #gids}
     */
    public Gid gid(int port, int index) {
        return index == 0 ? gid(port) : Gid.ofIpv4(addresses.get(port - 1));
    }

    /** Identifies the HCA ({@code node_guid}). */
    public long nodeGuid() {
        return GUID_PREFIX | (long) firstLid << LID_SHIFT;
    }

    /** Entry 0 of a port's GID table. */
    public Gid gid(int port) {
        return new Gid(Gid.LINK_LOCAL_PREFIX, nodeGuid() + port);
    }

    /**
     * GID of a domain behind port 1: the port's with 16 bits of the domain's number, as the GIDs of
     * an HCA's virtual functions.
     */
    public Gid domainGid(int domain) {
        Gid port = gid(1);
        return new Gid(port.prefix(), port.interfaceId() | (domain & DOMAIN_MASK) << DOMAIN_SHIFT);
    }

    /** LID of port 1 of the HCA, this or another one, that gives a port or a domain that GID; 0 if it is none's. */
    public static int firstLidOf(Gid gid) {
        long id = gid.interfaceId();
        int port = (int) (id & 0xff);
        boolean isOurs = gid.prefix() == Gid.LINK_LOCAL_PREFIX
                && id >>> GUID_SHIFT == GUID_PREFIX >>> GUID_SHIFT
                && port >= 1
                && port <= MAX_PORTS;
        return isOurs ? (int) (id >>> LID_SHIFT) & 0xffff : 0;
    }

    /** The 16 bits of a domain's number in its GID; 0 if it is no domain's. */
    public int domainOf(Gid gid) {
        int domain = (int) (gid.interfaceId() >>> DOMAIN_SHIFT & DOMAIN_MASK);
        return domainGid(domain).equals(gid) ? domain : 0;
    }
}
