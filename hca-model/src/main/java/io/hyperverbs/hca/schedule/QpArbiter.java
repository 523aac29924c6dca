package io.hyperverbs.hca.schedule;

import org.jspecify.annotations.Nullable;

/**
 * Start-time fair queuing over domains (P. Goyal, H. Vin, H. Cheng, Start-time fair queueing,
 * 1996), plain round robin over the queue pairs inside one; so many queue pairs of a domain get no
 * more than few of another. Costs are nanoseconds of the engine, measured or by {@link EngineCost}.
 *
 * <p>Each domain has a tag: the virtual time at which its next turn begins. A turn moves the tag on
 * by its cost over the weight, and the earliest tag goes first. A turn may overdraw by one step,
 * which the others are given before the next one. A domain that becomes active goes next, and may
 * catch up on at most {@link #MAX_LAG_NANOS} of the engine time that it left unused: programs take
 * turns on a core, and none should lose the engine's time because another had the core. A domain that
 * catches up runs at most {@link #CATCH_UP_TIMES} times faster than the others, however often it
 * becomes active. What the engine does for a domain outside of turns moves its
 * tag too ({@link #chargeFixed}); while no other domain is active that costs nothing.
 */
public final class QpArbiter {
    public static final int NOBODY = -1;

    /** What a queue pair gets in one turn, unless somebody comes. */
    public static final long SLICE_NANOS = 1_000;

    /** No domain is further behind: a long stay outside is not throttled against it for ever. */
    static final long MAX_LEAD_NANOS = 100_000;

    /**
     * Nor further ahead, whatever it did not use: a tick of the kernel at 250 Hz, for which a
     * program may wait for its core while another computes there (docs/adr/0017). Virtual time, as
     * debts are.
     */
    static final long MAX_LAG_NANOS = 4_000_000;

    /** How many times what others have meanwhile each one has that catches up. */
    static final int CATCH_UP_TIMES = 7;

    // Turns: of the largest messages four megabytes.
    private static final int LATELY = 64;

    private static final long MAX_LEAD = MAX_LEAD_NANOS << DomainShare.TAG_SHIFT;
    private static final long MAX_LAG = MAX_LAG_NANOS << DomainShare.TAG_SHIFT;
    private static final long SLICE = SLICE_NANOS << DomainShare.TAG_SHIFT;

    // As far as its own last turn may have moved a domain that is not in debt.
    private static final long NEAR = EngineCost.LONGEST_TURN << DomainShare.TAG_SHIFT;

    private final int[] next;
    private final boolean[] queued;
    // Active domains, in no order; an active domain has a queue pair, so there is room.
    private final @Nullable DomainShare[] line;
    private int waiting;
    private @Nullable DomainShare current;
    private @Nullable DomainShare throttled;
    // The lowest tag of the domains without lag, when one of them last had a turn. Tags wrap
    // round; only differences count.
    private long virtual;
    private int turnsOfOne;
    // How many times its cost the turn in service takes of those that catch up, and what they have
    // not had since of what such turns took, in tags.
    private int passing;
    private long passed;

    public QpArbiter(int maxQp) {
        this.next = new int[maxQp];
        this.queued = new boolean[maxQp];
        this.line = new DomainShare[maxQp];
    }

    /** Whether no domain is active. */
    public boolean isIdle() {
        return waiting == 0;
    }

    /** Whether several domains are active, so that the cost of a turn matters. */
    public boolean hasRivals() {
        return waiting > 1;
    }

    /** Whether another domain than the one in service had one of the last turns. */
    public boolean isSharedLately() {
        return turnsOfOne < LATELY;
    }

    /**
     * Whether a domain that becomes active would go before the one in service, or soon after it:
     * the turn is cut for it.
     */
    public boolean isNewcomer(DomainShare share) {
        return !share.listed && !share.throttled && isSoon(share);
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
        if (!share.listed && !share.throttled) {
            enter(share);
        }
    }

    /** Takes the next queue pair; it may spend {@link #SLICE_NANOS}. */
    public int take(long nowNanos) {
        while (waiting > 0) {
            passing = 0;
            int place = waiting == 1 ? 0 : choose();
            DomainShare share = at(place);
            if (share.rate != null && !share.rate.isOpen(nowNanos)) {
                leave(share);
                hold(share);
            } else {
                turnsOfOne = share == current ? Math.min(turnsOfOne + 1, LATELY) : 0;
                current = share;
                share.isNew = false;
                if (!isBehind(share)) {
                    // This domain passes others that have no lag; they must not seem to have some.
                    virtual = passing == 0 ? share.tag : at(leastAhead()).tag;
                }
                return first(share);
            }
        }
        return NOBODY;
    }

    private int choose() {
        int best = earliest();
        if (!isBehind(at(best))) {
            passed = 0;
            return best;
        }
        int other = passed > 0 ? NOBODY : beforeThem();
        if (other == NOBODY) {
            return best;
        }
        passing = behindBut(other) * (at(other).isNew ? 1 : CATCH_UP_TIMES);
        return other;
    }

    // While some catch up: who came just now, or anyone now and then.
    private int beforeThem() {
        int came = newcomer();
        if (came != NOBODY) {
            return came;
        }
        int other = leastAhead();
        boolean isInDebt = other != NOBODY && at(other).tag - virtual > NEAR;
        return isInDebt ? NOBODY : other;
    }

    private int behindBut(int place) {
        int count = 0;
        for (int i = 0; i < waiting; i++) {
            count += i != place && isBehind(at(i)) ? 1 : 0;
        }
        return count;
    }

    private boolean isBehind(DomainShare share) {
        return share.tag - virtual < 0;
    }

    // Not far ahead of the others: behind, or within a turn of the next one.
    private boolean isSoon(DomainShare share) {
        return share.tag - virtual < SLICE;
    }

    private int newcomer() {
        for (int i = waiting - 1; i >= 0; i--) {
            if (at(i).isNew) {
                return i;
            }
        }
        return NOBODY;
    }

    // Among those without lag. There is one if an active domain has none.
    private int leastAhead() {
        int best = NOBODY;
        long nearest = Long.MAX_VALUE;
        for (int i = 0; i < waiting; i++) {
            long ahead = at(i).tag - virtual;
            if (ahead >= 0 && ahead < nearest) {
                best = i;
                nearest = ahead;
            }
        }
        return best;
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
        long from = share.tag;
        share.spend(nanos);
        if (passing != 0 || passed != 0) {
            passed = Math.max(0, passed + (share.tag - from) * (passing == 0 ? -1 : passing));
        }
        if (share.first == NOBODY) {
            leave(share);
        }
    }

    /**
     * Takes what was done for a domain outside of its turns off what it is due.
     *
     * @return nanoseconds that the other active domains are due for it; 0 if it was due itself
     */
    public long chargeFixed(DomainShare share, long nanos) {
        long from = begin(share);
        share.tag = from;
        share.spend(nanos);
        long taken = Math.min(share.tag - from, share.tag - virtual);
        if (share.tag - virtual > MAX_LEAD) {
            share.tag = virtual + MAX_LEAD;
        }
        return waiting == 0 || taken <= 0 ? 0 : (taken * othersWeight(share)) >> DomainShare.TAG_SHIFT;
    }

    private int othersWeight(DomainShare share) {
        int weight = 0;
        for (int i = 0; i < waiting; i++) {
            weight += at(i) == share ? 0 : at(i).weight();
        }
        return weight;
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
        for (DomainShare share = throttled; share != null; ) {
            DomainShare after = share.next;
            if (share.rate == null || share.rate.isOpen(nowNanos)) {
                if (before == null) {
                    throttled = after;
                } else {
                    before.next = after;
                }
                share.next = null;
                share.throttled = false;
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
        for (DomainShare share = throttled; share != null; share = share.next) {
            best = Math.min(best, share.rate == null ? 0 : share.rate.nanosToOpen(nowNanos));
        }
        return best;
    }

    private void hold(DomainShare share) {
        share.throttled = true;
        share.holds++;
        share.next = throttled;
        throttled = share;
    }

    private void enter(DomainShare share) {
        share.tag = begin(share);
        share.isNew = isSoon(share);
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

    // Its own tag, but neither further back than the lag goes nor further ahead than the lead does: after a
    // rest of half of all tags it seems to lie ahead.
    private long begin(DomainShare share) {
        long ahead = share.tag - virtual;
        return virtual + Math.max(-MAX_LAG, Math.min(ahead, MAX_LEAD));
    }
}
