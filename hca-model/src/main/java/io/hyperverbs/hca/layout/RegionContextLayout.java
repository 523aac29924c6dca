package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/**
 * One memory region's context: 64 bytes, 64-byte aligned, little-endian. Written by the HCA only;
 * read by tools and by a restarted HCA, which takes the segments of a scattered region from its
 * driver's journal.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | number        | domain        |  0 = free
 *    8  | pd            | access        |  Access.mask
 *   16  | virtualAddress                |
 *   24  | lengthBytes                   |
 *   32  | lkey          | rkey          |  0 = no remote right
 *   40  | firstAddress                  |  machine address of its first byte
 *   48  | runCount      | 0             |  contiguous segments
 * </pre>
 *
 * Publishing: the first int is stored last on creation and cleared first on destruction, with
 * release; 0 means free.
 */
public final class RegionContextLayout {
    public static final int SIZE_BYTES = 64;

    /** The fields; an int is read signed. */
    public enum Field {
        NUMBER(0, 4),
        DOMAIN(4, 4),
        PD(8, 4),
        ACCESS(12, 4),
        VIRTUAL_ADDRESS(16, 8),
        LENGTH_BYTES(24, 8),
        LKEY(32, 4),
        RKEY(36, 4),
        FIRST_ADDRESS(40, 8),
        RUN_COUNT(48, 4);

        private final int offset;
        private final int widthBytes;

        Field(int offset, int widthBytes) {
            this.offset = offset;
            this.widthBytes = widthBytes;
        }
    }

    private RegionContextLayout() {}

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
}
