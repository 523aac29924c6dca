package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.LONG;
import static io.hyperverbs.hca.layout.Bytes.ORDERED_INT;

import java.lang.foreign.MemorySegment;

/** Access to the fields of context entries, 4 or 8 bytes wide. */
final class Fields {
    private Fields() {}

    /** An int is read signed. */
    static long get(MemorySegment memory, long offset, int widthBytes) {
        return widthBytes == 8 ? memory.get(LONG, offset) : memory.get(INT, offset);
    }

    static void set(MemorySegment memory, long offset, int widthBytes, long value) {
        if (widthBytes == 8) {
            memory.set(LONG, offset, value);
        } else {
            memory.set(INT, offset, (int) value);
        }
    }

    static int intAcquire(MemorySegment memory, long offset) {
        return (int) ORDERED_INT.getAcquire(memory, offset);
    }

    static void intRelease(MemorySegment memory, long offset, int value) {
        ORDERED_INT.setRelease(memory, offset, value);
    }
}
