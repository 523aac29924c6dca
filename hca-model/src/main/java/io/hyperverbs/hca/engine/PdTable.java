package io.hyperverbs.hca.engine;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.PdContextLayout;
import io.hyperverbs.hca.layout.XrcdContextLayout;
import java.util.Arrays;

/**
 * Protection domains and XRC domains by number, from 1 for both together: whose they are and what
 * is in them. Engine thread only.
 */
public final class PdTable {
    private static final int FREE = Integer.MIN_VALUE;

    private final ContextMemory contexts;
    private final int[] domains;
    private final boolean[] isXrcd;
    private final int[] regions;
    private final int[] queuePairs;
    private final int[] others;
    private int live;
    private int nextNumber;

    PdTable(ContextMemory contexts, int maxPd) {
        this.contexts = contexts;
        this.domains = new int[maxPd + 1];
        this.isXrcd = new boolean[maxPd + 1];
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
        int pd = take(domain, false);
        note(pd, PdContextLayout.Field.DOMAIN, domain);
        noteUse(pd);
        PdContextLayout.publishRelease(contexts.memory(), pdEntry(pd), pd);
        return pd;
    }

    /** A new XRC domain; the table is not full. */
    public int openXrcd(int domain) {
        int xrcd = take(domain, true);
        note(xrcd, XrcdContextLayout.Field.DOMAIN, domain);
        noteUse(xrcd);
        XrcdContextLayout.publishRelease(contexts.memory(), xrcdEntry(xrcd), xrcd);
        return xrcd;
    }

    private int take(int domain, boolean xrcd) {
        do {
            nextNumber = nextNumber == domains.length - 1 ? 1 : nextNumber + 1;
        } while (domains[nextNumber] != FREE);
        domains[nextNumber] = domain;
        isXrcd[nextNumber] = xrcd;
        live++;
        return nextNumber;
    }

    /** Whether it is a protection domain. */
    public boolean exists(int pd) {
        return isThere(pd) && !isXrcd[pd];
    }

    /** Whether it is an XRC domain. */
    public boolean isXrcd(int number) {
        return isThere(number) && isXrcd[number];
    }

    private boolean isThere(int number) {
        return number > 0 && number < domains.length && domains[number] != FREE;
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
        noteUse(pd);
    }

    /** Ends a domain of either kind. */
    public void deallocate(int pd) {
        if (isXrcd[pd]) {
            XrcdContextLayout.publishRelease(contexts.memory(), xrcdEntry(pd), 0);
        } else {
            PdContextLayout.publishRelease(contexts.memory(), pdEntry(pd), 0);
        }
        domains[pd] = FREE;
        live--;
    }

    private void noteUse(int pd) {
        if (isXrcd[pd]) {
            note(pd, XrcdContextLayout.Field.SRQS, others[pd]);
            note(pd, XrcdContextLayout.Field.TARGETS, queuePairs[pd]);
        } else {
            note(pd, PdContextLayout.Field.REGIONS, regions[pd]);
            note(pd, PdContextLayout.Field.QUEUE_PAIRS, queuePairs[pd]);
        }
    }

    private void note(int pd, PdContextLayout.Field field, int value) {
        PdContextLayout.set(contexts.memory(), pdEntry(pd), field, value);
    }

    private void note(int xrcd, XrcdContextLayout.Field field, int value) {
        XrcdContextLayout.set(contexts.memory(), xrcdEntry(xrcd), field, value);
    }

    private long pdEntry(int pd) {
        return contexts.entry(Table.PD, pd - 1, PdContextLayout.SIZE_BYTES);
    }

    private long xrcdEntry(int xrcd) {
        return contexts.entry(Table.XRCD, xrcd - 1, XrcdContextLayout.SIZE_BYTES);
    }
}
