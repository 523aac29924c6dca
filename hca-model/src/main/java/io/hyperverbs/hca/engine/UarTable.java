package io.hyperverbs.hca.engine;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.event.EventRaiser;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.verbs.AsyncEvent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Open UAR pages by number, from 1, and densely for the turn over all. Engine thread only. */
public final class UarTable {
    private final ContextMemory contexts;
    private final EventRaiser events;
    private final @Nullable Uar[] byNumber;
    private final @Nullable Uar[] open;
    private final Map<Integer, DomainShare> shares = new HashMap<>();
    private int openCount;
    private int nextNumber;

    UarTable(ContextMemory contexts, EventRaiser events, int maxUar) {
        this.contexts = contexts;
        this.events = events;
        this.byNumber = new Uar[maxUar + 1];
        this.open = new Uar[maxUar];
    }

    public boolean isFull() {
        return openCount == open.length;
    }

    /**
     * Opens a page for a domain; the table is not full. A domain's charges, and what is left of its
     * rate, outlives its pages.
     *
     * @param bytesPerSecond with {@code messages}, its rate from its first page on; 0 for no limit
     * @param pkeys those that its queue pairs may have
     */
    public Uar open(int domain, long page, int weight, long bytesPerSecond, long messages, PkeyTable pkeys) {
        do {
            nextNumber = nextNumber == byNumber.length - 1 ? 1 : nextNumber + 1;
        } while (byNumber[nextNumber] != null);
        DomainShare share = shares.get(domain);
        if (share == null) {
            share = new DomainShare(domain);
            share.weight(weight);
            share.limit(bytesPerSecond, messages);
            shares.put(domain, share);
        }
        Uar uar = new Uar(contexts, nextNumber, share, page, pkeys);
        byNumber[nextNumber] = uar;
        events.open(nextNumber, page);
        open[openCount++] = uar;
        return uar;
    }

    public @Nullable Uar byNumber(int number) {
        return number > 0 && number < byNumber.length ? byNumber[number] : null;
    }

    /** Closes a page without objects. */
    public void close(Uar uar) {
        uar.close();
        events.close(uar.number());
        byNumber[uar.number()] = null;
        int place = 0;
        while (open[place] != uar) {
            place++;
        }
        open[place] = open[--openCount];
        open[openCount] = null;
    }

    /** The share of a domain that has opened a page; else null. */
    @Nullable
    DomainShare share(int domain) {
        return shares.get(domain);
    }

    /** Forgets a domain that has ended, unless pages of it are open. */
    public void forget(int domain) {
        for (int i = 0; i < openCount; i++) {
            if (open(i).share().domain() == domain) {
                return;
            }
        }
        shares.remove(domain);
    }

    /** Raises an event of that port, or of the device with 0, in every open context. */
    public void raiseInAll(int port, AsyncEvent.Type type) {
        for (int i = 0; i < openCount; i++) {
            events.raise(open(i).events(port), type);
        }
    }

    int openCount() {
        return openCount;
    }

    Uar open(int i) {
        Uar uar = open[i];
        if (uar == null) {
            throw new IllegalStateException("no page at place " + i + " of " + openCount);
        }
        return uar;
    }

    /** One place to the front. */
    void promote(int i) {
        if (i > 0) {
            Uar before = open[i - 1];
            open[i - 1] = open[i];
            open[i] = before;
        }
    }
}
