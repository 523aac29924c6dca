package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/**
 * One impaired link's context: 192 bytes, 64-byte aligned, little-endian: what was set, and what became of packets.
 * Written by the HCA only; read by tools and by a restarted HCA.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | port          | address       |  0 = free; IPv4 of the other port, 0: the port as a whole
 *    8  | down          | loss          |  shares in parts of a billion
 *   16  | duplicate     | corrupt       |
 *   24  | reorder       | 0             |
 *   32  | delayNanos                    |
 *   40  | jitterNanos                   |
 *   48  | bitsPerSecond                 |  0: no queue
 *   56  | limitBytes                    |
 *   64  | markFromBytes                 |
 *   72  | markToBytes                   |
 *   80  | seed                          |
 *   88  | queuedBytes                   |  when the last packet came
 *   96  | packets                       |  that came
 *  104  | downDrops     ...             |  one count for each fate, in the order of Field
 *  160  | marks                         |
 *  168  | 0                             |
 * </pre>
 *
 * Publishing: the first int is stored last on creation, with release. The counts are single stores: a reader sees each
 * whole, though not all of one moment.
 */
public final class LinkContextLayout {
    public static final int SIZE_BYTES = 192;

    /** The fields; an int is read signed. */
    public enum Field {
        PORT(0, 4),
        ADDRESS(4, 4),
        DOWN(8, 4),
        LOSS(12, 4),
        DUPLICATE(16, 4),
        CORRUPT(20, 4),
        REORDER(24, 4),
        DELAY_NANOS(32, 8),
        JITTER_NANOS(40, 8),
        BITS_PER_SECOND(48, 8),
        LIMIT_BYTES(56, 8),
        MARK_FROM_BYTES(64, 8),
        MARK_TO_BYTES(72, 8),
        SEED(80, 8),
        QUEUED_BYTES(88, 8),
        PACKETS(96, 8),
        /** Lost, as the link was down. */
        DOWN_DROPS(104, 8),
        /** Lost by chance. */
        LOSSES(112, 8),
        /** Dropped, as its queue was full. */
        QUEUE_DROPS(120, 8),
        /** Dropped, as more were delayed than there is memory for. */
        DELAY_DROPS(128, 8),
        DUPLICATES(136, 8),
        CORRUPTIONS(144, 8),
        REORDERINGS(152, 8),
        /** Marked with congestion experienced. */
        MARKS(160, 8);

        private final int offset;
        private final int widthBytes;

        Field(int offset, int widthBytes) {
            this.offset = offset;
            this.widthBytes = widthBytes;
        }
    }

    private LinkContextLayout() {}

    public static long get(MemorySegment memory, long entry, Field field) {
        return Fields.get(memory, entry + field.offset, field.widthBytes);
    }

    public static void set(MemorySegment memory, long entry, Field field, long value) {
        Fields.set(memory, entry + field.offset, field.widthBytes, value);
    }

    /** One more. */
    public static void count(MemorySegment memory, long entry, Field field) {
        set(memory, entry, field, get(memory, entry, field) + 1);
    }

    /** Makes the entry valid. */
    public static void publishRelease(MemorySegment memory, long entry, int port) {
        Fields.intRelease(memory, entry, port);
    }
}
