package io.hyperverbs.upper.ipoib.neighbour;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hardware addresses of the nodes of a link by their IP addresses: ARP's table and neighbour discovery's in one, each
 * entry a state machine ({@link NeighbourMoves}; RFC 826, RFC 4861 §7.3). Bounded: the least recently used entry
 * makes room for a new one. One thread, the link's; the caller passes the time in, any clock that does not go back,
 * and calls {@link #advance} as {@link #due} says.
 *
 * <p>A packet goes out like this: {@link #find} gives its neighbour's address; if there is none, {@link #await} takes
 * the packet's number, solicits, and gives the number back to {@link NeighbourActions}, once, to transmit or to drop.
 *
 * <p>IPv4 and IPv6 share the room of a table. Groups have no entries; the caller maps them ({@code MulticastGid}).
 */
public final class NeighbourTable {
    /** How long a confirmation holds (RFC 4861 §10, REACHABLE_TIME). */
    public static final long REACHABLE_NANOS = 30_000_000_000L;

    /** Between two solicitations (RETRANS_TIMER). */
    public static final long RETRANSMIT_NANOS = 1_000_000_000L;

    /** Before a neighbour is unreachable (MAX_MULTICAST_SOLICIT, MAX_UNICAST_SOLICIT). */
    public static final int MAX_SOLICITATIONS = 3;

    /** What {@link #due} gives while no entry waits for anything. */
    public static final long NEVER = Long.MAX_VALUE;

    private final int capacity;
    private final NeighbourActions actions;
    private final NeighbourEntries entries;

    /** Entries in INCOMPLETE and PROBE, which have a deadline. */
    private int soliciting;

    /** Not after the first deadline, while there is one; earlier if that entry's neighbour has answered. */
    private long nextDeadlineNanos;

    /**
     * @param capacity entries at most, at least 1
     * @param actions what the table wants done
     * @throws IllegalArgumentException if there is room for none
     */
    public NeighbourTable(int capacity, NeighbourActions actions) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity " + capacity + ", must be positive");
        }
        this.capacity = capacity;
        this.actions = actions;
        this.entries = new NeighbourEntries(capacity);
    }

    /** {@link #find(long, long, long)} of an address. */
    public @Nullable HardwareAddress find(IpAddress address, long nowNanos) {
        return find(address.high(), address.low(), nowNanos);
    }

    /**
     * Where a packet is to go. Begins a probe if the address is not confirmed any more; the packet goes to it all the
     * same. Allocates nothing.
     *
     * @param high of the {@link IpAddress}
     * @param low of it
     * @return null if the address is not there; then {@link #await} takes the packet
     */
    public @Nullable HardwareAddress find(long high, long low, long nowNanos) {
        Neighbour entry = entries.find(high, low);
        if (entry == null) {
            return null;
        }
        entries.touch(entry);
        expire(entry, nowNanos);
        if (entry.state == NeighbourState.STALE) {
            fire(entry, NeighbourEvent.USE, null, nowNanos);
        }
        return entry.hardware;
    }

    /**
     * Keeps a packet until its neighbour's address is there, and solicits that; transmits it at once if it is there
     * already.
     *
     * @param packet any number, which comes back in {@link NeighbourActions#transmit} or {@link NeighbourActions#drop}
     */
    public void await(IpAddress address, int packet, long nowNanos) {
        HardwareAddress hardware = find(address, nowNanos);
        if (hardware != null) {
            actions.transmit(packet, hardware);
            return;
        }
        Neighbour entry = entries.find(address.high(), address.low());
        if (entry == null) {
            entry = add(address);
        }
        if (entry.isFull()) {
            actions.drop(entry.removeOldest(), DropReason.QUEUE_FULL);
        }
        entry.append(packet);
        fire(entry, NeighbourEvent.USE, null, nowNanos);
    }

    /**
     * A neighbour answered: an ARP reply to this node, or a solicited advertisement. Confirms an entry, makes none.
     *
     * @return whether there is an entry of that neighbour
     */
    public boolean replied(IpAddress address, HardwareAddress hardware, long nowNanos) {
        Neighbour entry = entries.find(address.high(), address.low());
        if (entry == null) {
            return false;
        }
        fire(entry, NeighbourEvent.REPLY, hardware, nowNanos);
        return true;
    }

    /**
     * A neighbour asked this node for its address, and will get packets from it: makes an entry, or changes one. Who
     * probes whether an address is free has none yet; nothing is learned from that.
     */
    public void requested(IpAddress address, HardwareAddress hardware, long nowNanos) {
        if (!address.isUnicast()) {
            return;
        }
        Neighbour entry = entries.find(address.high(), address.low());
        if (entry == null) {
            entry = add(address);
        }
        learn(entry, NeighbourEvent.REQUEST, hardware, nowNanos);
    }

    /**
     * A neighbour announced its address unsolicited, or asked another node. Changes an entry, makes none.
     *
     * @return whether there is an entry of that neighbour
     */
    public boolean announced(IpAddress address, HardwareAddress hardware, long nowNanos) {
        Neighbour entry = entries.find(address.high(), address.low());
        if (entry == null) {
            return false;
        }
        learn(entry, NeighbourEvent.ANNOUNCEMENT, hardware, nowNanos);
        return true;
    }

    /** Nanoseconds until {@link #advance} has something to do, 0 if it has now, {@link #NEVER} if no entry waits. */
    public long due(long nowNanos) {
        return soliciting == 0 ? NEVER : Math.max(0, nextDeadlineNanos - nowNanos);
    }

    /**
     * Repeats solicitations whose time is up, and gives up neighbours that did not answer the last one. Cheap before
     * it is {@link #due}; else it looks at all entries.
     *
     * @return entries that changed
     */
    public int advance(long nowNanos) {
        if (due(nowNanos) > 0) {
            return 0;
        }
        int changed = 0;
        long untilNext = NEVER;
        Neighbour entry = entries.newest();
        while (entry != null) {
            Neighbour older = entry.older;
            if (isSoliciting(entry.state) && entry.timeNanos - nowNanos <= 0) {
                fire(entry, timeout(entry), null, nowNanos);
                changed++;
            }
            if (isSoliciting(entry.state)) {
                untilNext = Math.min(untilNext, entry.timeNanos - nowNanos);
            }
            entry = older;
        }
        nextDeadlineNanos = nowNanos + untilNext;
        return changed;
    }

    /** Forgets all, as after the port lost its link; drops the packets that wait. */
    public void clear() {
        Neighbour entry = entries.oldest();
        while (entry != null) {
            remove(entry, DropReason.CLEARED);
            entry = entries.oldest();
        }
    }

    public int size() {
        return entries.size();
    }

    /** The state of a neighbour, which is no use of it. */
    public NeighbourState state(IpAddress address, long nowNanos) {
        Neighbour entry = entries.find(address.high(), address.low());
        if (entry == null) {
            return NeighbourState.ABSENT;
        }
        expire(entry, nowNanos);
        return entry.state;
    }

    private Neighbour add(IpAddress address) {
        Neighbour oldest = entries.oldest();
        if (oldest != null && entries.size() == capacity) {
            remove(oldest, DropReason.TABLE_FULL);
        }
        Neighbour entry = new Neighbour(address);
        entries.add(entry);
        return entry;
    }

    private void remove(Neighbour entry, DropReason reason) {
        entries.remove(entry);
        change(entry, NeighbourState.ABSENT);
        while (entry.hasWaiting()) {
            actions.drop(entry.removeOldest(), reason);
        }
    }

    /** A message with the address that is there already confirms nothing, as another node may have sent it. */
    private void learn(Neighbour entry, NeighbourEvent event, HardwareAddress hardware, long nowNanos) {
        if (!hardware.equals(entry.hardware)) {
            fire(entry, event, hardware, nowNanos);
        }
    }

    private void expire(Neighbour entry, long nowNanos) {
        if (entry.state == NeighbourState.REACHABLE && nowNanos - entry.timeNanos >= REACHABLE_NANOS) {
            fire(entry, NeighbourEvent.TIMEOUT, null, nowNanos);
        }
    }

    private static NeighbourEvent timeout(Neighbour entry) {
        return entry.solicitations < MAX_SOLICITATIONS ? NeighbourEvent.TIMEOUT : NeighbourEvent.EXHAUSTED;
    }

    private static boolean isSoliciting(NeighbourState state) {
        return state == NeighbourState.INCOMPLETE || state == NeighbourState.PROBE;
    }

    /** The one place where an entry moves. */
    private void fire(Neighbour entry, NeighbourEvent event, @Nullable HardwareAddress hardware, long nowNanos) {
        NeighbourMoves.Move move = NeighbourMoves.find(entry.state, event);
        if (move == null) {
            return;
        }
        change(entry, move.to());
        switch (move.effect()) {
            case NONE -> {}
            case SOLICIT_BY_MULTICAST -> {
                schedule(entry, nowNanos);
                actions.solicitByMulticast(entry.address);
            }
            case SOLICIT_BY_UNICAST -> {
                schedule(entry, nowNanos);
                actions.solicitByUnicast(entry.address, Objects.requireNonNull(entry.hardware));
            }
            case STORE -> store(entry, Objects.requireNonNull(hardware));
            case CONFIRM -> {
                entry.timeNanos = nowNanos;
                store(entry, Objects.requireNonNull(hardware));
            }
            case GIVE_UP -> remove(entry, DropReason.UNREACHABLE);
        }
    }

    private void change(Neighbour entry, NeighbourState to) {
        if (entry.state == to) {
            return;
        }
        soliciting += (isSoliciting(to) ? 1 : 0) - (isSoliciting(entry.state) ? 1 : 0);
        entry.state = to;
        entry.solicitations = 0;
    }

    private void schedule(Neighbour entry, long nowNanos) {
        entry.solicitations++;
        entry.timeNanos = nowNanos + RETRANSMIT_NANOS;
        // The time ahead is always the same, so the deadline of any other entry is earlier.
        if (soliciting == 1) {
            nextDeadlineNanos = entry.timeNanos;
        }
    }

    private void store(Neighbour entry, HardwareAddress hardware) {
        entry.hardware = hardware;
        while (entry.hasWaiting()) {
            actions.transmit(entry.removeOldest(), hardware);
        }
    }
}
