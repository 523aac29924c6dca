package io.hyperverbs.hca.schedule;

import org.jspecify.annotations.Nullable;

/**
 * Start-time fair queuing over domains (P. Goyal, H. Vin, H. Cheng, Start-time fair queueing,
 * 1996), plain round robin over the queue pairs inside one; so many queue pairs of a domain get no
 * more than few of another. Costs are nanoseconds of the engine, measured or by {@link Price}.
 *
 * <p>Each domain has a tag: the virtual time at which its next turn begins. A turn moves the tag on
 * by its cost over the weight, and the earliest tag goes first. A turn may overdraw by one step,
 * which the others are given before the next one. Who comes anew goes next, and catches up at most
 * {@link #MOST_CREDIT_NANOS} of what it had nothing in line for: programs take turns on a core, and
 * none should lose the engine's time because another had the core. What the engine does for a
 * domain outside of turns moves its tag too ({@link #debit}); with nobody else in line that costs
 * nothing.
 */
public final class QpArbiter {
    public static final int NOBODY = -1;

    /** What a queue pair gets in one turn, unless somebody comes. */
    public static final long SLICE_NANOS = 1_000;

    /** No domain is further behind: a long stay outside is not held against it for ever. */
    static final long MOST_DEBT_NANOS = 100_000;

    /**
     * Nor further ahead, whatever it did not use: a quarter of a turn on a core (docs/adr/0017).
     * Virtual time, as debts are: a domain that comes may keep others waiting this long for each
     * unit of its weight.
     */
    static final long MOST_CREDIT_NANOS = 50_000;

    // Turns: of the largest messages four megabytes.
    private static final int LATELY = 64;

    private static final long MOST_DEBT = MOST_DEBT_NANOS << DomainShare.TAG_SHIFT;
    private static final long MOST_CREDIT = MOST_CREDIT_NANOS << DomainShare.TAG_SHIFT;
    private static final long SLICE = SLICE_NANOS << DomainShare.TAG_SHIFT;

    private final int[] next;
    private final boolean[] queued;
    // Those that have work, in no order; a domain in line has a queue pair, so there is room.
    private final @Nullable DomainShare[] line;
    private int waiting;
    private @Nullable DomainShare current;
    private @Nullable DomainShare held;
    // The latest tag that a turn began at. Tags wrap round; only differences count.
    private long virtual;
    private int turnsOfOne;

    public QpArbiter(int maxQp) {
        this.next = new int[maxQp];
        this.queued = new boolean[maxQp];
        this.line = new DomainShare[maxQp];
    }

    /** Whether nobody is in line. */
    public boolean isIdle() {
        return waiting == 0;
    }

    /** Whether more than one is in line, so that it matters what a turn costs. */
    public boolean hasRivals() {
        return waiting > 1;
    }

    /** Whether another domain than the one in service had one of the last turns. */
    public boolean isSharedLately() {
        return turnsOfOne < LATELY;
    }

    /**
     * Whether a domain that is not in line would go before the one in service, or soon after it:
     * the turn is cut for it.
     */
    public boolean isNewcomer(DomainShare share) {
        return !share.listed && !share.held && share.tag - virtual < SLICE;
    }

    /** Queues a queue pair that has work; one that is queued already stays where it is. */
    public void add(DomainShare share, int index) {
        if (queued[index]) {
            return;
        }
        queued[index] = true;
        next[index] = NOBODY;
        if (share.last == NOBODY) {
            share.first = index;
        } else {
            next[share.last] = index;
        }
        share.last = index;
        if (!share.listed && !share.held) {
            enter(share);
        }
    }

    /** Takes the next queue pair; it may spend {@link #SLICE_NANOS}. */
    public int take(long nowNanos) {
        while (waiting > 0) {
            int place = waiting == 1 ? 0 : earliest();
            DomainShare share = at(place);
            if (share.rate != null && !share.rate.isOpen(nowNanos)) {
                leave(share);
                hold(share);
            } else {
                turnsOfOne = share == current ? Math.min(turnsOfOne + 1, LATELY) : 0;
                current = share;
                if (share.tag - virtual > 0) {
                    virtual = share.tag;
                }
                return first(share);
            }
        }
        return NOBODY;
    }

    // Of those with one tag who came last: it waited for nothing yet.
    private int earliest() {
        int best = 0;
        for (int i = 1; i < waiting; i++) {
            if (at(i).tag - at(best).tag <= 0) {
                best = i;
            }
        }
        return best;
    }

    private DomainShare at(int place) {
        DomainShare share = line[place];
        if (share == null) {
            throw new IllegalStateException("nobody at place " + place + " of " + waiting);
        }
        return share;
    }

    private int first(DomainShare share) {
        int index = share.first;
        share.first = next[index];
        if (share.first == NOBODY) {
            share.last = NOBODY;
        }
        queued[index] = false;
        return index;
    }

    /**
     * Ends the turn of the queue pair just taken; it was queued again before, if it has more.
     *
     * @param nanos what it took
     * @param sentBytes what counts for its rate
     * @param sentMessages what else counts for its rate
     */
    public void charge(long nanos, long sentBytes, long sentMessages) {
        DomainShare share = current;
        if (share == null) {
            return;
        }
        if (share.rate != null) {
            share.rate.spend(sentBytes, sentMessages);
        }
        share.spend(nanos);
        if (share.first == NOBODY) {
            leave(share);
        }
    }

    /** Takes what was done for a domain outside of its turns off what it is due. */
    public void debit(DomainShare share, long nanos) {
        long from = begin(share);
        share.tag = from;
        share.spend(nanos);
        if (share.tag - virtual > MOST_DEBT) {
            share.tag = virtual + MOST_DEBT;
        }
    }

    /** Forgets a queue pair that is being destroyed. */
    public void remove(DomainShare share, int index) {
        if (!queued[index]) {
            return;
        }
        int before = NOBODY;
        for (int i = share.first; i != index; i = next[i]) {
            before = i;
        }
        if (before == NOBODY) {
            share.first = next[index];
        } else {
            next[before] = next[index];
        }
        if (share.last == index) {
            share.last = before;
        }
        queued[index] = false;
        if (share.first == NOBODY && share.listed) {
            leave(share);
        }
    }

    /** Lets those go on whose rate allows it again; for each turn of the engine. */
    public void release(long nowNanos) {
        DomainShare before = null;
        for (DomainShare share = held; share != null; ) {
            DomainShare after = share.next;
            if (share.rate == null || share.rate.isOpen(nowNanos)) {
                if (before == null) {
                    held = after;
                } else {
                    before.next = after;
                }
                share.next = null;
                share.held = false;
                if (share.first != NOBODY) {
                    enter(share);
                }
            } else {
                before = share;
            }
            share = after;
        }
    }

    /** Nanoseconds until {@link #release} has something to do, {@code Long.MAX_VALUE} if never. */
    public long nanosToRelease(long nowNanos) {
        long best = Long.MAX_VALUE;
        for (DomainShare share = held; share != null; share = share.next) {
            best = Math.min(best, share.rate == null ? 0 : share.rate.nanosToOpen(nowNanos));
        }
        return best;
    }

    private void hold(DomainShare share) {
        share.held = true;
        share.holds++;
        share.next = held;
        held = share;
    }

    private void enter(DomainShare share) {
        share.tag = begin(share);
        share.listed = true;
        share.place = waiting;
        line[waiting++] = share;
    }

    private void leave(DomainShare share) {
        waiting--;
        DomainShare moved = at(waiting);
        moved.place = share.place;
        line[share.place] = moved;
        line[waiting] = null;
        share.listed = false;
    }

    // Its own tag, but neither further back than credit goes nor further off than debts do: after a
    // rest of half of all tags it seems to lie ahead.
    private long begin(DomainShare share) {
        long ahead = share.tag - virtual;
        return virtual + Math.max(-MOST_CREDIT, Math.min(ahead, MOST_DEBT));
    }
}
