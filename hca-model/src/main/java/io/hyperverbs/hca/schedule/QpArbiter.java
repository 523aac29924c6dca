package io.hyperverbs.hca.schedule;

import org.jspecify.annotations.Nullable;

/**
 * Deficit-weighted round robin over domains, plain round robin over the queue pairs inside one; so
 * many queue pairs of a domain get no more than few of another. Costs are bytes, with a fixed
 * charge per request so that tiny messages do not come free.
 *
 * <p>Each round gives a domain {@link #QUANTUM} times its weight; a turn may overdraw it by one
 * step, which the next round takes off (M. Shreedhar, G. Varghese, Efficient fair queuing using
 * deficit round robin, 1996).
 */
public final class QpArbiter {
    public static final int NOBODY = -1;

    /** Bytes a domain of weight 1 gets in a round, and a queue pair in one turn. */
    public static final long QUANTUM = 64 * 1024;

    /** What one request costs besides its bytes: what the engine could copy in that time. */
    public static final long REQUEST_COST = 1024;

    private final int[] next;
    private final boolean[] queued;
    private @Nullable DomainShare current;
    private @Nullable DomainShare tail;
    private boolean roundBegun;

    public QpArbiter(int maxQp) {
        this.next = new int[maxQp];
        this.queued = new boolean[maxQp];
    }

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
        if (!share.listed) {
            append(share);
        }
    }

    /** Takes the next queue pair; {@link #budget} is what it may spend. */
    public int take() {
        DomainShare share = current;
        if (share == null) {
            return NOBODY;
        }
        if (!roundBegun) {
            roundBegun = true;
            share.credit += QUANTUM * share.weight();
        }
        int index = share.first;
        if (index == NOBODY) {
            return NOBODY;
        }
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
        return share == null ? 0 : Math.min(share.credit, QUANTUM);
    }

    /** Ends the turn of the queue pair just taken; it was queued again before, if it has more. */
    public void charge(long spent) {
        DomainShare share = current;
        if (share == null) {
            return;
        }
        share.credit -= spent;
        if (share.first == NOBODY) {
            // Credit is not saved up while there is nothing to do; a debt is kept.
            share.credit = Math.min(share.credit, 0);
            unlist(share);
        } else if (share.credit <= 0) {
            unlist(share);
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
        if (share.first == NOBODY) {
            drop(share);
        }
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

    private void drop(DomainShare share) {
        if (share == current) {
            unlist(share);
            return;
        }
        for (DomainShare before = current; before != null; before = before.next) {
            if (before.next == share) {
                before.next = share.next;
                if (tail == share) {
                    tail = before;
                }
                share.next = null;
                share.listed = false;
                return;
            }
        }
    }
}
