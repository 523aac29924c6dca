package io.hyperverbs.hca.context;

import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.Counter;
import java.lang.foreign.MemorySegment;

/**
 * The engine's pen for the context memory: entry addresses and counters. The values it writes are
 * never read back. Engine thread only; allocates nothing after construction.
 */
public final class ContextMemory {
    private final MemorySegment memory;
    private final long base;
    private final long[] counters = new long[ContextMemoryLayout.COUNTERS];
    private final long[] tables = new long[ContextMemoryLayout.TABLES];

    /** Over memory that {@link ContextMemoryLayout#format} wrote at {@code base}. */
    public ContextMemory(MemorySegment memory, long base) {
        this.memory = memory;
        this.base = base;
        for (Table table : Table.values()) {
            tables[table.number()] = ContextMemoryLayout.entry(memory, base, table, 0);
        }
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
        add(counter, 1);
    }

    public void add(Counter counter, long amount) {
        int number = counter.number();
        long value = counters[number] + amount;
        counters[number] = value;
        ContextMemoryLayout.storeCounter(memory, base, number, value);
    }
}
