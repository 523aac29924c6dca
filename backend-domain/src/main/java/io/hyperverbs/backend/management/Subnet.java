package io.hyperverbs.backend.management;

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
final class Subnet {
    private static final int FIRST_MULTICAST_LID = 0xc000;
    private static final int PORT = 1;

    private final PortSettings ports;
    private final Map<Integer, CmSession> byDomain = new HashMap<>();
    private final Map<String, CmSession> byName = new HashMap<>();
    private final Map<Gid, CmSession> byGid = new HashMap<>();
    private int lastNumber;

    Subnet(PortSettings ports) {
        this.ports = ports;
    }

    int mtuBytes() {
        return ports.mtuBytes();
    }

    int pkey() {
        return ports.pkeys().getFirst();
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

    /** The guest that {@code to} names; ENOENT if there is none, EINVAL for a LID. */
    CmSession guest(Destination to) throws Refusal {
        CmSession found = switch (to) {
            case Destination.Guest guest -> byName.get(guest.name());
            case Destination.OfGid gid -> byGid.get(unicast(gid.gid()));
            case Destination.OfLid _ -> throw new Refusal(VerbsStatus.EINVAL, "a LID names the HCA, not a guest");
        };
        if (found == null) {
            throw new Refusal(VerbsStatus.ENOENT, "no guest of that name or GID");
        }
        return found;
    }

    PathRecord path(CmSession from, Destination to) throws Refusal {
        if (to instanceof Destination.OfLid asked) {
            if (asked.lid() <= 0 || asked.lid() >= FIRST_MULTICAST_LID) {
                throw new Refusal(VerbsStatus.EINVAL, "LID " + asked.lid() + " is no unicast LID (1 to 49151)");
            }
            int port = asked.lid() - ports.lid(1) + 1;
            if (!ports.isPort(port)) {
                throw new Refusal(VerbsStatus.ENOENT, "nobody at LID " + asked.lid());
            }
            return path(from.gid, ports.gid(port), asked.lid());
        }
        int port = to instanceof Destination.OfGid asked ? ports.portOf(asked.gid()) : 0;
        if (to instanceof Destination.OfGid asked && port > 0) {
            return path(from.gid, asked.gid(), ports.lid(port));
        }
        return path(from.gid, guest(to).gid);
    }

    PathRecord path(Gid from, Gid to) {
        return path(from, to, ports.lid(PORT));
    }

    private PathRecord path(Gid from, Gid to, int lid) {
        // One HCA without a wire: a packet lives shorter than the shortest code says.
        return new PathRecord(from, to, ports.lid(PORT), lid, pkey(), 0, ports.mtuBytes(), 0, true);
    }

    private static Gid unicast(Gid gid) throws Refusal {
        if (gid.isMulticast() || gid.isZero()) {
            throw new Refusal(VerbsStatus.EINVAL, "GID " + gid + " is no port's");
        }
        return gid;
    }
}
