package io.hyperverbs.hca.cq;

import io.hyperverbs.hca.context.ContextMemory;
import org.jspecify.annotations.Nullable;

/** Completion queues by number, from 1. Engine thread only. */
public final class CqTable {
    private final ContextMemory contexts;
    private final @Nullable Cq[] cqs;
    private int nextNumber;
    private int live;

    public CqTable(ContextMemory contexts, int maxCq) {
        this.contexts = contexts;
        this.cqs = new Cq[maxCq + 1];
    }

    public boolean isFull() {
        return live == cqs.length - 1;
    }

    /** Creates a queue over zeroed ring memory; the table is not full. */
    public Cq create(int domain, int uar, int slot, long ringAddress, int entries) {
        do {
            nextNumber = nextNumber == cqs.length - 1 ? 1 : nextNumber + 1;
        } while (cqs[nextNumber] != null);
        Cq cq = new Cq(contexts, nextNumber, domain, uar, slot, ringAddress, entries);
        cqs[nextNumber] = cq;
        live++;
        return cq;
    }

    public @Nullable Cq byNumber(int number) {
        return number > 0 && number < cqs.length ? cqs[number] : null;
    }

    public void destroy(Cq cq) {
        cq.close();
        cqs[cq.number()] = null;
        live--;
    }
}
