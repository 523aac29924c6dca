package io.hyperverbs.hca.layout;

import java.lang.foreign.MemorySegment;

/**
 * One port's context: 640 bytes, 64-byte aligned, little-endian; in the head of the context memory.
 * Written by the HCA only; read by tools and by a restarted HCA.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | number        | state         |  0 = no such port; PortState.code()
 *    8  | lid           | mtu           |  bytes
 *   16  | badPkeys      | qkeyViolations |  packets dropped
 *   24  | address       | 0              |  IPv4, first byte highest; 0 = on no wire
 *   64  | totals                        |  TotalsLayout
 * </pre>
 *
 * Publishing: the first int is stored last on creation, with release; 0 means no such port.
 */
public final class PortContextLayout {
    public static final int SIZE_BYTES = 64 + TotalsLayout.SIZE_BYTES;
    static final long TOTALS_OFFSET = 64;

    /** The fields; an int is read signed. */
    public enum Field {
        NUMBER(0),
        STATE(4),
        LID(8),
        MTU(12),
        BAD_PKEYS(16),
        QKEY_VIOLATIONS(20),
        ADDRESS(24);

        private final int offset;

        Field(int offset) {
            this.offset = offset;
        }
    }

    private PortContextLayout() {}

    /** Byte offset of the entry's {@link TotalsLayout}. */
    public static long totals(long entry) {
        return entry + TOTALS_OFFSET;
    }

    public static long get(MemorySegment memory, long entry, Field field) {
        return Fields.get(memory, entry + field.offset, 4);
    }

    public static void set(MemorySegment memory, long entry, Field field, long value) {
        Fields.set(memory, entry + field.offset, 4, value);
    }

    /** Makes the entry valid. */
    public static void publishRelease(MemorySegment memory, long entry, int number) {
        Fields.intRelease(memory, entry, number);
    }
}
