package io.hyperverbs.hca.context;

import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.Counter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The engine's pen for the context memory: entry addresses and counters. The values it writes are
 * never read back. What only counts is noted once a turn of the engine, not with each message: of all
 * that the engine does for a message, stores are the most. Engine thread only; allocates nothing after
 * construction.
 */
public final class ContextMemory {
    private final MemorySegment memory;
    private final long base;
    private final long[] counters = new long[ContextMemoryLayout.COUNTERS];
    private final long[] tables = new long[ContextMemoryLayout.TABLES];
    private final @Nullable Counts[] changed;
    private int changedEntries;
    // A bit for each of the counters.
    private long changedCounters;

    /** An entry's counts, which change with each message. */
    @FunctionalInterface
    public interface Counts {
        /** Writes them into the entry. */
        void note();
    }

    /** Over memory that {@link ContextMemoryLayout#format} wrote at {@code base}. */
    public ContextMemory(MemorySegment memory, long base) {
        this.memory = memory;
        this.base = base;
        for (Table table : Table.values()) {
            tables[table.number()] = ContextMemoryLayout.entry(memory, base, table, 0);
        }
        changed = new Counts[ContextMemoryLayout.entryCount(memory, base, Table.QP)];
    }

    public MemorySegment memory() {
        return memory;
    }

    /** Byte offset of an entry; {@code index} from 0. */
    public long entry(Table table, int index, int entryBytes) {
        return tables[table.number()] + (long) index * entryBytes;
    }

    /** Byte offset of a port's entry in the head; {@code port} from 1. */
    public long portEntry(int port) {
        return ContextMemoryLayout.port(base, port);
    }

    public void count(Counter counter) {
        int number = counter.number();
        ContextMemoryLayout.storeCounter(memory, base, number, ++counters[number]);
    }

    /** Counts what comes with each message; {@link #noteCounts} shows it. */
    public void countTraffic(Counter counter, long amount) {
        int number = counter.number();
        counters[number] += amount;
        changedCounters |= 1L << number;
    }

    /** The counts of a queue pair's entry changed; not called again before {@link #noteCounts}. */
    public void change(Counts counts) {
        changed[changedEntries++] = counts;
    }

    /** Writes what was counted since. */
    public void noteCounts() {
        for (long left = changedCounters; left != 0; left &= left - 1) {
            int number = Long.numberOfTrailingZeros(left);
            ContextMemoryLayout.storeCounter(memory, base, number, counters[number]);
        }
        changedCounters = 0;
        for (int i = 0; i < changedEntries; i++) {
            Counts counts = changed[i];
            if (counts != null) {
                counts.note();
            }
        }
        changedEntries = 0;
    }
}
