package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/**
 * One UAR's context: 640 bytes, 64-byte aligned, little-endian. Written by the HCA only; read by
 * tools and by a restarted HCA.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | number        | domain        |  0 = free
 *    8  | pageAddress                   |  machine address
 *   16  | objects       | faults        |  slots in use; throwables its queue pairs caused
 *   24  | weight        | 0             |  share of the engine
 *   32  | rateBytes                     |  a second, of the domain; 0 = no limit
 *   40  | rateMessages                  |  a second, of the domain; 0 = no limit
 *   64  | totals                        |  TotalsLayout
 * </pre>
 *
 * Publishing: the first int is stored last on creation and cleared first on destruction, with
 * release; 0 means free.
 */
public final class UarContextLayout {
    public static final int SIZE_BYTES = 64 + TotalsLayout.SIZE_BYTES;
    static final long TOTALS_OFFSET = 64;

    /** The fields; an int is read signed. */
    public enum Field {
        NUMBER(0, 4),
        DOMAIN(4, 4),
        PAGE_ADDRESS(8, 8),
        OBJECTS(16, 4),
        FAULTS(20, 4),
        WEIGHT(24, 4),
        RATE_BYTES(32, 8),
        RATE_MESSAGES(40, 8);

        private final int offset;
        private final int widthBytes;

        Field(int offset, int widthBytes) {
            this.offset = offset;
            this.widthBytes = widthBytes;
        }
    }

    private UarContextLayout() {}

    /** Byte offset of the entry's {@link TotalsLayout}. */
    public static long totals(long entry) {
        return entry + TOTALS_OFFSET;
    }

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
