package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/**
 * One memory window's context: 64 bytes, 64-byte aligned, little-endian. Written by the HCA only;
 * read by tools and by a restarted HCA.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | number        | domain        |  0 = free
 *    8  | pd            | type          |  1 or 2
 *   16  | rkey          | everBound     |  of the last bind, or the first key; 1 = it was bound
 *   24  | region        | qpn           |  0 = not bound; 0 = any of the PD
 *   32  | address                       |  from here on only while bound
 *   40  | lengthBytes                   |
 *   48  | access        | 0             |  Access.mask
 * </pre>
 *
 * Publishing: the first int is stored last on creation and cleared first on destruction, with
 * release; 0 means free. A bind stores region last, an invalidation clears it first, with release.
 */
public final class MwContextLayout {
    public static final int SIZE_BYTES = 64;
    static final long REGION_OFFSET = 24;

    /** The fields; an int is read signed. */
    public enum Field {
        NUMBER(0, 4),
        DOMAIN(4, 4),
        PD(8, 4),
        TYPE(12, 4),
        RKEY(16, 4),
        EVER_BOUND(20, 4),
        REGION(REGION_OFFSET, 4),
        QPN(28, 4),
        ADDRESS(32, 8),
        LENGTH_BYTES(40, 8),
        ACCESS(48, 4);

        private final long offset;
        private final int widthBytes;

        Field(long offset, int widthBytes) {
            this.offset = offset;
            this.widthBytes = widthBytes;
        }
    }

    private MwContextLayout() {}

    public static long get(MemorySegment memory, long entry, Field field) {
        return Fields.get(memory, entry + field.offset, field.widthBytes);
    }

    public static void set(MemorySegment memory, long entry, Field field, long value) {
        Fields.set(memory, entry + field.offset, field.widthBytes, value);
    }

    /** Says that the window is bound to that region, or free again with {@code region} 0. */
    public static void bindRelease(MemorySegment memory, long entry, int region) {
        Fields.intRelease(memory, entry + REGION_OFFSET, region);
    }

    /** Makes the entry valid, or free with {@code number} 0. */
    public static void publishRelease(MemorySegment memory, long entry, int number) {
        Fields.intRelease(memory, entry, number);
    }
}
