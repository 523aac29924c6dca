package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.ORDERED_INT;

import java.lang.foreign.MemorySegment;

/**
 * The HCA's status page: 4096 bytes, one per HCA, little-endian. Written by the HCA only; read by
 * every guest, whose mapping is read-only (the memfd is sealed against further writable maps).
 *
 * <pre>
 *  byte   +0              +4
 *    0  | magic "HVSP"  | version       |
 *   64  | armNumber     |               |  grows by 1 each time the HCA arms itself to sleep
 * </pre>
 *
 * Publishing: the HCA stores the next arm number, full fence, looks at all doorbells once more,
 * then sleeps in epoll. A guest rings, full fence (the atomic or is one), reads the arm number, and
 * writes its eventfd if it has not yet done so for that number. Numbers start at 0, which means
 * never armed.
 */
public final class StatusPageLayout {
    public static final long SIZE_BYTES = 4096;
    public static final int MAGIC = 0x50535648;
    public static final int VERSION = 1;
    static final long MAGIC_OFFSET = 0;
    static final long VERSION_OFFSET = 4;
    static final long ARM_NUMBER_OFFSET = 64;

    private StatusPageLayout() {}

    public static void format(MemorySegment memory, long page) {
        memory.set(INT, page + MAGIC_OFFSET, MAGIC);
        memory.set(INT, page + VERSION_OFFSET, VERSION);
    }

    public static boolean isFormatted(MemorySegment memory, long page) {
        return memory.get(INT, page + MAGIC_OFFSET) == MAGIC && memory.get(INT, page + VERSION_OFFSET) == VERSION;
    }

    /** Any side. */
    public static int armNumberVolatile(MemorySegment memory, long page) {
        return (int) ORDERED_INT.getVolatile(memory, page + ARM_NUMBER_OFFSET);
    }

    /** HCA side; the caller follows with a full fence and one more look. */
    public static void armVolatile(MemorySegment memory, long page, int armNumber) {
        ORDERED_INT.setVolatile(memory, page + ARM_NUMBER_OFFSET, armNumber);
    }
}
