package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;

import java.lang.foreign.MemorySegment;

/**
 * One completion queue's context: 64 bytes, 64-byte aligned, little-endian. Written by the HCA
 * only; read by tools and by a restarted HCA.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | number        | state         |  0 = free; 1 = broken by an overrun
 *    8  | domain        | uar           |
 *   16  | slot          | entries       |
 *   24  | ringAddress                   |  machine address
 *   32  | producer      | armed         |  next entry to write; bit 0 any, bit 1 solicited
 *   40  | armAnySeen    | armSolicitedSeen |  last arm numbers taken
 *   48  | queuePairs    | moderationCount |  attached ends; 0 = none
 *   56  | moderationMicros | events     |  raised; wraps
 * </pre>
 *
 * Publishing: the first int is stored last on creation and cleared first on destruction, with
 * release; 0 means free.
 */
public final class CqContextLayout {
    public static final int SIZE_BYTES = 64;

    /** The fields; an int is read signed. */
    public enum Field {
        NUMBER(0, 4),
        STATE(4, 4),
        DOMAIN(8, 4),
        UAR(12, 4),
        SLOT(16, 4),
        ENTRIES(20, 4),
        RING_ADDRESS(24, 8),
        PRODUCER(32, 4),
        ARMED(36, 4),
        ARM_ANY_SEEN(40, 4),
        ARM_SOLICITED_SEEN(44, 4),
        QUEUE_PAIRS(48, 4),
        MODERATION_COUNT(52, 4),
        MODERATION_MICROS(56, 4),
        EVENTS(60, 4);

        private final int offset;
        private final int widthBytes;

        Field(int offset, int widthBytes) {
            this.offset = offset;
            this.widthBytes = widthBytes;
        }
    }

    private CqContextLayout() {}

    public static long get(MemorySegment memory, long entry, Field field) {
        return Fields.get(memory, entry + field.offset, field.widthBytes);
    }

    public static void set(MemorySegment memory, long entry, Field field, long value) {
        Fields.set(memory, entry + field.offset, field.widthBytes, value);
    }

    /** Makes the entry valid, or free with {@code number} 0. */
    public static void publishRelease(MemorySegment memory, long entry, int number) {
        Fields.intRelease(memory, entry, number);
    }

    /** Where the next entry goes: hot. */
    public static void writeProducer(MemorySegment memory, long entry, int producer) {
        memory.set(INT, entry + 32, producer);
    }
}
