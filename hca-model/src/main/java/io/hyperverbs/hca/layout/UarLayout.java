package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.INT;
import static io.hyperverbs.hca.layout.Bytes.ORDERED_LONG;

import java.lang.foreign.MemorySegment;

/**
 * A user access region: one 4096-byte page per context, in a memfd of its own, little-endian. The
 * magic and version are written by the backend before the page is granted. Doorbell bits are set by
 * the guest and taken by the HCA. Behind them lies {@link EventRingLayout}.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | magic "HVUA"  | version       |  backend, before the grant
 *   64  | summary                       |  bit w: doorbell word w has a bit set
 *  128  | doorbell word 0               |  bit b: slot 0 * 64 + b was rung
 *  ...  | doorbell word 63              |
 * </pre>
 *
 * Publishing: the rung object's index word is stored with release; then the slot's bit, then the
 * summary bit, each by an atomic or. The HCA takes the summary by exchange, then each word named
 * there. A slot number means something only in this page: the table from slot to object is private
 * to the HCA.
 */
public final class UarLayout {
    public static final long SIZE_BYTES = 4096;
    public static final int SLOTS = 4096;
    public static final int MAGIC = 0x41555648;
    public static final int VERSION = 3;
    static final long MAGIC_OFFSET = 0;
    static final long VERSION_OFFSET = 4;
    static final long SUMMARY_OFFSET = 64;
    static final long WORDS_OFFSET = 128;

    private UarLayout() {}

    /** Writes the page's head. */
    public static void format(MemorySegment memory, long page) {
        memory.set(INT, page + MAGIC_OFFSET, MAGIC);
        memory.set(INT, page + VERSION_OFFSET, VERSION);
    }

    /** Whether the head is one this code understands. */
    public static boolean isFormatted(MemorySegment memory, long page) {
        return memory.get(INT, page + MAGIC_OFFSET) == MAGIC && memory.get(INT, page + VERSION_OFFSET) == VERSION;
    }

    /**
     * Guest side: rings the doorbell of {@code slot}. A full barrier: a look at the sleep flag may
     * follow.
     */
    public static void ring(MemorySegment memory, long page, int slot) {
        long unusedWord =
                (long) ORDERED_LONG.getAndBitwiseOr(memory, page + WORDS_OFFSET + (slot >>> 6) * 8L, 1L << (slot & 63));
        long unusedSummary = (long) ORDERED_LONG.getAndBitwiseOr(memory, page + SUMMARY_OFFSET, 1L << (slot >>> 6));
    }

    /** HCA side: a look without taking, for the turn over all pages. */
    public static long summaryAcquire(MemorySegment memory, long page) {
        return (long) ORDERED_LONG.getAcquire(memory, page + SUMMARY_OFFSET);
    }

    /** HCA side: takes the summary. */
    public static long takeSummary(MemorySegment memory, long page) {
        return (long) ORDERED_LONG.getAndSet(memory, page + SUMMARY_OFFSET, 0L);
    }

    /** HCA side: takes doorbell word {@code word}, 0 to 63. */
    public static long takeWord(MemorySegment memory, long page, int word) {
        return (long) ORDERED_LONG.getAndSet(memory, page + WORDS_OFFSET + word * 8L, 0L);
    }
}
