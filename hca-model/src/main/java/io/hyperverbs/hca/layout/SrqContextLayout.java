package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;

import java.lang.foreign.MemorySegment;

/**
 * One shared receive queue's context: 64 bytes, 64-byte aligned, little-endian. Written by the HCA
 * only; read by tools and by a restarted HCA.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | srqn          | state         |  0 = free; 1 = broken
 *    8  | domain        | uar           |
 *   16  | pd            | entries       |
 *   24  | ringAddress                   |  machine address
 *   32  | head          | limit         |  next receive to take; 0 = not armed
 *   40  | strideBytes   | queuePairs    |  attached
 *   48  | xrcd          | cq            |  0 = no XRC
 *   56  | receiveSge    | 0             |
 * </pre>
 *
 * Publishing: the first int is stored last on creation and cleared first on destruction, with
 * release; 0 means free.
 */
public final class SrqContextLayout {
    public static final int SIZE_BYTES = 64;

    /** The fields; an int is read signed. */
    public enum Field {
        SRQN(0, 4),
        STATE(4, 4),
        DOMAIN(8, 4),
        UAR(12, 4),
        PD(16, 4),
        ENTRIES(20, 4),
        RING_ADDRESS(24, 8),
        HEAD(32, 4),
        LIMIT(36, 4),
        STRIDE(40, 4),
        QUEUE_PAIRS(44, 4),
        XRCD(48, 4),
        CQ(52, 4),
        RECEIVE_SGE(56, 4);

        private final int offset;
        private final int widthBytes;

        Field(int offset, int widthBytes) {
            this.offset = offset;
            this.widthBytes = widthBytes;
        }
    }

    private SrqContextLayout() {}

    public static long get(MemorySegment memory, long entry, Field field) {
        return Fields.get(memory, entry + field.offset, field.widthBytes);
    }

    public static void set(MemorySegment memory, long entry, Field field, long value) {
        Fields.set(memory, entry + field.offset, field.widthBytes, value);
    }

    /** Makes the entry valid, or free with {@code srqn} 0. */
    public static void publishRelease(MemorySegment memory, long entry, int srqn) {
        Fields.intRelease(memory, entry, srqn);
    }

    /** Which receive is taken next: hot. */
    public static void writeHead(MemorySegment memory, long entry, int head) {
        memory.set(INT, entry + 32, head);
    }
}
