package io.hyperverbs.hca.schedule;

import org.jspecify.annotations.Nullable;

/**
 * Deficit-weighted round robin over domains, plain round robin over the queue pairs inside one; so
 * many queue pairs of a domain get no more than few of another. Costs are bytes, with a {@link
 * Price} for each operation.
 *
 * <p>Each round gives a domain {@link #QUANTUM} times its weight. A turn may overdraw it by one
 * step, which later rounds take off (M. Shreedhar, G. Varghese, Efficient fair queuing using
 * deficit round robin, 1996). The quantum is far smaller than a long step: a domain that comes
 * waits for a few requests of each other one, while a domain that has overdrawn is passed by until
 * it has paid. Rounds in which nobody else has work pass at once. What the engine does for a domain
 * outside of turns is taken off its credit too ({@link #debit}); a domain in debt stays in line to
 * pay it, with or without work.
 */
public final class QpArbiter {
    public static final int NOBODY = -1;

    /** Bytes a domain of weight 1 gets in a round. */
    public static final long QUANTUM = 4 * 1024;

    /** The most a queue pair gets in one turn. */
    public static final long SLICE = 8 * 1024;

    /** No domain owes more: a long stay outside is not held against it for ever. */
    private static final long MOST_DEBT = 1 << 20;

    private final int[] next;
    private final boolean[] queued;
    private @Nullable DomainShare current;
    private @Nullable DomainShare tail;
    private @Nullable DomainShare held;
    private boolean roundBegun;

    public QpArbiter(int maxQp) {
        this.next = new int[maxQp];
        this.queued = new boolean[maxQp];
    }

    /** Whether nobody is in line. */
    public boolean isIdle() {
        return current == null;
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
            append(share);
        }
    }

    /** Takes the next queue pair; {@link #budget} is what it may spend. */
    public int take(long nowNanos) {
        for (DomainShare share = current; share != null; share = current) {
            if (!roundBegun) {
                roundBegun = true;
                // Alone, as many rounds pass at once as the debt asks for.
                long credit = share.next == null ? Math.max(share.credit, 0) : share.credit;
                share.credit = credit + QUANTUM * share.weight();
            }
            if (share.first == NOBODY && share.credit >= 0) {
                share.credit = 0;
                unlist(share);
            } else if (share.credit <= 0) {
                unlist(share);
                append(share);
            } else if (share.rate != null && !share.rate.isOpen(nowNanos)) {
                hold(share);
            } else {
                return first(share);
            }
        }
        return NOBODY;
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

    /** Bytes the queue pair just taken may spend. */
    public long budget() {
        DomainShare share = current;
        if (share == null) {
            return 0;
        }
        return share.next == null ? SLICE : Math.min(share.credit, SLICE);
    }

    /**
     * Ends the turn of the queue pair just taken; it was queued again before, if it has more.
     *
     * @param spent bytes and prices
     * @param sentBytes of these, what counts for its rate
     * @param sentMessages what else counts for its rate
     */
    public void charge(long spent, long sentBytes, long sentMessages) {
        DomainShare share = current;
        if (share == null) {
            return;
        }
        if (share.rate != null) {
            share.rate.spend(sentBytes, sentMessages);
        }
        share.credit -= spent;
        if (share.first == NOBODY && (share.credit >= 0 || share.next == null)) {
            // Credit is not saved up while there is nothing to do; a debt is kept for others.
            share.credit = 0;
            unlist(share);
        } else if (share.credit <= 0) {
            unlist(share);
            append(share);
        }
    }

    /** Takes the price of what was done for a domain outside of its turns off its credit. */
    public void debit(DomainShare share, long price) {
        share.credit = Math.max(share.credit - price, -MOST_DEBT);
        if (!share.listed && !share.held) {
            append(share);
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
                share.held = false;
                append(share);
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
        unlist(share);
        share.credit = Math.min(share.credit, 0);
        share.held = true;
        share.holds++;
        share.next = held;
        held = share;
    }

    private void append(DomainShare share) {
        share.listed = true;
        share.next = null;
        if (tail == null) {
            current = share;
            roundBegun = false;
        } else {
            tail.next = share;
        }
        tail = share;
    }

    // The current one leaves the head of the list.
    private void unlist(DomainShare share) {
        current = share.next;
        if (current == null) {
            tail = null;
        }
        share.next = null;
        share.listed = false;
        roundBegun = false;
    }
}
