package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/**
 * One XRC domain's context: 16 bytes, little-endian. Written by the HCA only; read by tools and by
 * a restarted HCA. Its number is one of those of protection domains.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | number        | domain        |  0 = free
 *    8  | srqs          | targets       |
 * </pre>
 *
 * Publishing: the first int is stored last on creation and cleared first on destruction, with
 * release; 0 means free.
 */
public final class XrcdContextLayout {
    public static final int SIZE_BYTES = 16;

    /** The fields; an int is read signed. */
    public enum Field {
        NUMBER(0, 4),
        DOMAIN(4, 4),
        SRQS(8, 4),
        TARGETS(12, 4);

        private final int offset;
        private final int widthBytes;

        Field(int offset, int widthBytes) {
            this.offset = offset;
            this.widthBytes = widthBytes;
        }
    }

    private XrcdContextLayout() {}

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
