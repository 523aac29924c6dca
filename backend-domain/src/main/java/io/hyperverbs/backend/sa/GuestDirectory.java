package io.hyperverbs.backend.sa;

import io.hyperverbs.backend.cm.Deadlines;
import io.hyperverbs.backend.gsi.Outbox;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.mad.ServiceRecordLayout;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.verbs.Gid;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds guests of other HCAs: asks those HCAs side by side, again and again until they answer or the time is over, and
 * remembers for a moment what came of it. Answers are hostile: one counts if it is to a question that was asked, from
 * whom it was asked, of a guest that is that HCA's. Under the lock of its connection manager.
 */
public final class GuestDirectory {
    static final int MAX_KNOWN = 1024;

    /** The first wait for answers; each further one is twice as long. */
    static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    static final int WAITS = 7;

    /**
     * How long a silent HCA is waited for, 2.5 s. A manager that has just started, on a computer with more to do than
     * cores, has been seen to take more than 0.6 s for its first answer.
     */
    public static final long LOOK_NANOS = FIRST_WAIT_NANOS * ((1 << WAITS) - 1);

    /** How long who was found is taken to be there still; a call to who is not is rejected. */
    static final long FOUND_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Long enough for the asker to come again and hear it. */
    static final long NOBODY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final Logger LOG = LoggerFactory.getLogger(GuestDirectory.class);

    private final NeighbourHcas neighbours;
    private final Outbox outbox;
    private final RandomGenerator random;
    private final Map<Long, GuestQuery> queries = new HashMap<>();
    private final Map<Object, GuestQuery> queriesByKey = new HashMap<>();
    private final Deadlines<GuestQuery> deadlines = new Deadlines<>();

    /** By name or GID; who was asked for first is forgotten first. */
    private final Map<Object, Known> known = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Known> eldest) {
            return size() > MAX_KNOWN;
        }
    };

    private record Known(GuestLookup lookup, long untilNanos) {}

    /** {@code random} draws transaction ids, which nobody may guess. */
    public GuestDirectory(NeighbourHcas neighbours, Outbox outbox, RandomGenerator random) {
        this.neighbours = neighbours;
        this.outbox = outbox;
        this.random = random;
    }

    /** Looks for a guest by name; {@code asker} is whose share of looks it takes. */
    public GuestLookup byName(Asker asker, String name, long nowNanos) {
        return GuestRecords.isName(name) ? find(asker, name, neighbours.addresses(), nowNanos) : GuestLookup.NOBODY;
    }

    /** Looks for a guest by GID, which says which HCA to ask. */
    public GuestLookup byGid(Asker asker, Gid gid, long nowNanos) {
        int address = neighbours.addressOf(gid);
        return address == 0 ? GuestLookup.NOBODY : find(asker, gid, List.of(address), nowNanos);
    }

    private GuestLookup find(Asker asker, Object key, List<Integer> addresses, long nowNanos) {
        Known found = known.get(key);
        if (found != null && found.untilNanos > nowNanos) {
            return found.lookup;
        }
        if (queriesByKey.containsKey(key)) {
            return GuestLookup.ASKED;
        }
        if (addresses.isEmpty()) {
            return GuestLookup.NOBODY;
        }
        if (!asker.begin(nowNanos)) {
            return GuestLookup.BUSY;
        }
        long transactionId = random.nextLong();
        GuestQuery query = new GuestQuery(key, asker, transactionId, addresses);
        queries.put(transactionId, query);
        queriesByKey.put(key, query);
        ask(query, nowNanos);
        return GuestLookup.ASKED;
    }

    private void ask(GuestQuery query, long nowNanos) {
        byte[] mad = query.key instanceof Gid gid
                ? GuestRecords.query(query.transactionId, gid)
                : GuestRecords.query(query.transactionId, (String) query.key);
        for (int address : query.unanswered) {
            outbox.add(address, ManagementDatagram.QPN, mad);
        }
        deadlines.set(query, nowNanos + (FIRST_WAIT_NANOS << query.waits));
        query.waits++;
    }

    /**
     * An answer came.
     *
     * @param mad hostile but for its class and method, SubnAdmGetResp
     * @param address IPv4 address that it came from
     */
    public void receive(byte[] mad, int address, long nowNanos) {
        GuestQuery query = queries.get(MadHeaderLayout.TRANSACTION_ID.get(mad));
        if (query == null || !query.unanswered.remove(address)) {
            return;
        }
        RemoteGuest guest = guest(mad, address);
        if (guest != null && (query.key.equals(guest.name()) || query.key.equals(guest.gid()))) {
            found(query, guest, nowNanos);
        }
        if (query.unanswered.isEmpty()) {
            end(query, nowNanos);
        }
    }

    private @Nullable RemoteGuest guest(byte[] mad, int address) {
        String name = GuestRecords.name(mad);
        Gid gid = ServiceRecordLayout.SERVICE_GID.get(mad);
        int mtuBytes = GuestRecords.mtuBytes(mad);
        boolean isGood = MadHeaderLayout.STATUS.get(mad) == 0
                && !name.isEmpty()
                && mtuBytes != 0
                && neighbours.addressOf(gid) == address;
        return isGood ? new RemoteGuest(name, gid, address, mtuBytes) : null;
    }

    private void found(GuestQuery query, RemoteGuest guest, long nowNanos) {
        RemoteGuest other = query.found;
        if (other != null) {
            LOG.warn("guest {} is on two HCAs: {} and {}", guest.name(), other.gid(), guest.gid());
        }
        if (other == null || Integer.compareUnsigned(guest.address(), other.address()) < 0) {
            query.found = guest;
            remember(guest.name(), GuestLookup.found(guest), nowNanos + FOUND_NANOS);
            remember(guest.gid(), GuestLookup.found(guest), nowNanos + FOUND_NANOS);
        }
        stopLooking(query);
    }

    private void end(GuestQuery query, long nowNanos) {
        deadlines.clear(query);
        queries.remove(query.transactionId);
        queriesByKey.remove(query.key);
        stopLooking(query);
        if (query.found == null) {
            remember(query.key, GuestLookup.nobody(query.unanswered.size()), nowNanos + NOBODY_NANOS);
        }
    }

    private void remember(Object key, GuestLookup lookup, long untilNanos) {
        known.remove(key);
        known.put(key, new Known(lookup, untilNanos));
    }

    private void stopLooking(GuestQuery query) {
        if (query.isLooking) {
            query.isLooking = false;
            query.asker.end();
        }
    }

    /** Asks again, and ends what nobody has answered; how many. */
    public int doWork(long nowNanos) {
        int done = 0;
        for (GuestQuery due = deadlines.takeExpired(nowNanos); due != null; due = deadlines.takeExpired(nowNanos)) {
            done++;
            if (due.waits < WAITS) {
                ask(due, nowNanos);
            } else {
                end(due, nowNanos);
            }
        }
        return done;
    }

    /** When {@link #doWork} has something to do next; the largest number: not before a message. */
    public long next() {
        return deadlines.next();
    }
}
