package io.hyperverbs.hca.tpt;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** Context memory for tests. */
final class Contexts {
    private Contexts() {}

    /** Memory with a table of so many windows and nothing else. */
    static ContextMemory ofWindows(int windows) {
        int[] counts = ContextMemoryLayout.counts(Map.of(Table.MW, windows));
        MemorySegment memory = Arena.ofAuto().allocate(ContextMemoryLayout.totalBytes(counts), 4096);
        ContextMemoryLayout.format(memory, 0, counts);
        return new ContextMemory(memory, 0);
    }
}
