package io.hyperverbs.hca.engine;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.PdContextLayout;
import io.hyperverbs.hca.layout.PdContextLayout.Field;

import java.util.Arrays;

/** Protection domains by number, from 1: whose they are and what is in them. Engine thread only. */
public final class PdTable {
    private static final int FREE = Integer.MIN_VALUE;

    private final ContextMemory contexts;
    private final int[] domains;
    private final int[] regions;
    private final int[] queuePairs;
    private final int[] others;
    private int live;
    private int nextNumber;

    PdTable(ContextMemory contexts, int maxPd) {
        this.contexts = contexts;
        this.domains = new int[maxPd + 1];
        this.regions = new int[maxPd + 1];
        this.queuePairs = new int[maxPd + 1];
        this.others = new int[maxPd + 1];
        Arrays.fill(domains, FREE);
    }

    public boolean isFull() {
        return live == domains.length - 1;
    }

    /** A new protection domain; the table is not full. */
    public int allocate(int domain) {
        do {
            nextNumber = nextNumber == domains.length - 1 ? 1 : nextNumber + 1;
        } while (domains[nextNumber] != FREE);
        int pd = nextNumber;
        domains[pd] = domain;
        live++;
        PdContextLayout.set(contexts.memory(), entry(pd), Field.DOMAIN, domain);
        noteUse(pd);
        PdContextLayout.publishRelease(contexts.memory(), entry(pd), pd);
        return pd;
    }

    public boolean exists(int pd) {
        return pd > 0 && pd < domains.length && domains[pd] != FREE;
    }

    public int domain(int pd) {
        return domains[pd];
    }

    public boolean isUsed(int pd) {
        return regions[pd] != 0 || queuePairs[pd] != 0 || others[pd] != 0;
    }

    public void addRegions(int pd, int change) {
        regions[pd] += change;
        noteUse(pd);
    }

    public void addQueuePairs(int pd, int change) {
        queuePairs[pd] += change;
        noteUse(pd);
    }

    /** Objects of any other kind. */
    public void addOthers(int pd, int change) {
        others[pd] += change;
    }

    public void deallocate(int pd) {
        PdContextLayout.publishRelease(contexts.memory(), entry(pd), 0);
        domains[pd] = FREE;
        live--;
    }

    private void noteUse(int pd) {
        PdContextLayout.set(contexts.memory(), entry(pd), Field.REGIONS, regions[pd]);
        PdContextLayout.set(contexts.memory(), entry(pd), Field.QUEUE_PAIRS, queuePairs[pd]);
    }

    private long entry(int pd) {
        return contexts.entry(Table.PD, pd - 1, PdContextLayout.SIZE_BYTES);
    }
}
