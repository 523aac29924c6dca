package io.hyperverbs.backend.management;

import io.hyperverbs.backend.cm.LocalPort;
import io.hyperverbs.backend.management.CmObject.Listener;
import io.hyperverbs.backend.sa.NeighbourHcas;
import io.hyperverbs.backend.sa.OwnGuests;
import io.hyperverbs.backend.sa.RemoteGuest;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.PathRecord;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who is on the subnet and how to get there. Under the lock of {@link Management}. */
final class Subnet implements OwnGuests {
    private static final int FIRST_MULTICAST_LID = 0xc000;
    private static final int PORT = 1;

    /** Code of how long a packet lives on a wire: 16.8 ms, as on the longest way through one switch. */
    private static final int WIRE_LIFE_TIME = 12;

    private final PortSettings ports;
    private final NeighbourHcas neighbours;
    private final Map<Integer, CmSession> byDomain = new HashMap<>();
    private final Map<String, CmSession> byName = new HashMap<>();
    private final Map<Gid, CmSession> byGid = new HashMap<>();
    private int lastNumber;

    Subnet(PortSettings ports, NeighbourHcas neighbours) {
        this.ports = ports;
        this.neighbours = neighbours;
    }

    /** The port that managers of other HCAs know. */
    LocalPort localPort() {
        return new LocalPort(neighbours.wire().of(PORT), ports.lid(PORT), ports.mtuBytes(), ports.nodeGuid());
    }

    int mtuBytes() {
        return ports.mtuBytes();
    }

    /** Of the datagrams of managers. */
    int pkey() {
        return ports.pkeys().getFirst();
    }

    /** The P_Key of a path from one guest to another one of this HCA, 0 if no partition has both. */
    int pkey(CmSession from, CmSession to) {
        return from.session.pkeys().reaching(to.session.pkeys());
    }

    /** The P_Key of a path from a guest to where no more is known than that it is there. */
    private static int pkey(CmSession from) {
        return from.session.pkeys().pkey(0);
    }

    void add(Session session) {
        Gid gid = ports.domainGid(session.domain());
        CmSession added = new CmSession(session, gid, () -> ++lastNumber);
        byDomain.put(session.domain(), added);
        byName.put(session.name(), added);
        byGid.put(gid, added);
    }

    @Nullable
    CmSession remove(Session session) {
        CmSession gone = find(session);
        if (gone != null) {
            byDomain.remove(session.domain());
            byName.remove(session.name(), gone);
            byGid.remove(gone.gid, gone);
        }
        return gone;
    }

    @SuppressWarnings("ReferenceEquality") // A domain's number may be used again.
    @Nullable
    CmSession find(Session session) {
        CmSession found = byDomain.get(session.domain());
        return found != null && found.session == session ? found : null;
    }

    boolean knows(String guest) {
        return byName.containsKey(guest);
    }

    /** The guest of this HCA that {@code to} names, null if there is none; EINVAL for a GID that is no port's. */
    @Nullable
    CmSession guest(Destination to) throws Refusal {
        return switch (to) {
            case Destination.Guest guest -> byName.get(guest.name());
            case Destination.OfGid gid -> byGid.get(unicast(gid.gid()));
            case Destination.OfLid _ -> null;
        };
    }

    /** The guest of this HCA with that GID; null if there is none. */
    @Nullable
    CmSession byGid(Gid gid) {
        return byGid.get(gid);
    }

    @Override
    public @Nullable Gid gidOf(String name) {
        CmSession found = byName.get(name);
        return found == null ? null : found.gid;
    }

    @Override
    public @Nullable String nameOf(Gid gid) {
        CmSession found = byGid.get(gid);
        return found == null ? null : found.name();
    }

    /** Of all listeners to that service id whom {@code pkey} reaches the one that has listened longest; null if none. */
    @Nullable
    Listener oldestListener(long serviceId, int pkey) {
        Listener oldest = null;
        for (CmSession session : byDomain.values()) {
            Listener one = session.listeners.get(serviceId);
            if (one != null
                    && session.session.pkeys().reaching(pkey) != 0
                    && (oldest == null || one.number < oldest.number)) {
                oldest = one;
            }
        }
        return oldest;
    }

    /** Whether it is the GID of port 1, by which managers of other HCAs know this one. */
    boolean isOwnPort(Gid gid) {
        return gid.equals(ports.gid(PORT))
                || (gid.isIpv4() && gid.ipv4() == neighbours.wire().of(PORT));
    }

    /** Whether that address is of the HCA that gives a guest that GID. */
    boolean isOf(Gid guest, int address) {
        return address != 0 && neighbours.addressOf(guest) == address;
    }

    /** An HCA that a GID names by its address; null if there is no way to it, or it is this one. */
    @Nullable
    RemoteGuest hca(Destination to) {
        return to instanceof Destination.OfGid asked
                        && asked.gid().isIpv4()
                        && neighbours.wire().of(PORT) != 0
                        && neighbours.wire().port(asked.gid().ipv4()) == 0
                ? hca(asked.gid().ipv4())
                : null;
    }

    /** The HCA with that address, as a whole. */
    RemoteGuest hca(int address) {
        String name = (address >>> 24) + "." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + "."
                + (address & 0xff);
        return new RemoteGuest(name, Gid.ofIpv4(address), address, ports.mtuBytes());
    }

    /** The path to a port, of this HCA or another, that {@code to} names; null if it names none. */
    @Nullable
    PathRecord portPath(CmSession from, Destination to) throws Refusal {
        if (to instanceof Destination.OfLid asked) {
            if (asked.lid() <= 0 || asked.lid() >= FIRST_MULTICAST_LID) {
                throw new Refusal(VerbsStatus.EINVAL, "LID " + asked.lid() + " is no unicast LID (1 to 49151)");
            }
            int port = asked.lid() - ports.lid(1) + 1;
            if (ports.isPort(port)) {
                return path(from.gid, ports.gid(port), asked.lid(), pkey(from));
            }
            int address = neighbours.wire().ofLid(asked.lid());
            if (address == 0) {
                throw new Refusal(VerbsStatus.ENOENT, "nobody at LID " + asked.lid());
            }
            return path(hca(address), pkey(from), ports.mtuBytes());
        }
        int port = to instanceof Destination.OfGid asked ? ports.portOf(asked.gid()) : 0;
        if (to instanceof Destination.OfGid asked && port > 0) {
            return path(from.gid, asked.gid(), ports.lid(port), pkey(from));
        }
        return null;
    }

    /** The path from a guest to whom it resolved. */
    PathRecord path(CmSession from, CmParty to) {
        return switch (to) {
            case CmSession guest -> path(from.gid, guest.gid, pkey(from, guest));
            case CmParty.Remote remote ->
                path(remote.guest(), pkey(from), remote.guest().mtuBytes());
        };
    }

    /** The path to another HCA; its GIDs are those that packets have. */
    PathRecord path(RemoteGuest to, int pkey, int mtuBytes) {
        return new PathRecord(
                localPort().gid(),
                Gid.ofIpv4(to.address()),
                ports.lid(PORT),
                neighbours.wire().lidOf(to.address()),
                pkey,
                0,
                Math.min(mtuBytes, ports.mtuBytes()),
                WIRE_LIFE_TIME,
                true);
    }

    PathRecord path(Gid from, Gid to, int pkey) {
        return path(from, to, ports.lid(PORT), pkey);
    }

    private PathRecord path(Gid from, Gid to, int lid, int pkey) {
        // One HCA without a wire: a packet lives shorter than the shortest code says.
        return new PathRecord(from, to, ports.lid(PORT), lid, pkey, 0, ports.mtuBytes(), 0, true);
    }

    private static Gid unicast(Gid gid) throws Refusal {
        if (gid.isMulticast() || gid.isZero()) {
            throw new Refusal(VerbsStatus.EINVAL, "GID " + gid + " is no port's");
        }
        return gid;
    }
}
