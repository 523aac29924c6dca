package io.hyperverbs.hca.layout;

import static io.hyperverbs.hca.layout.Bytes.ORDERED_INT;
import static io.hyperverbs.hca.layout.Bytes.ORDERED_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The head of a completion queue's ring memory: 128 bytes, 64-byte aligned, little-endian; the CQEs
 * follow. Written by the guest only; read by the HCA, which believes the consumer index within
 * bounds.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | consumerIndex |               |  completions taken so far, wraps at 2^32
 *   64  | armAny: consumerIndex, number |  low int, high int
 *   72  | armSolicited: the same        |
 *  128  | CQE 0 ...                     |
 * </pre>
 *
 * Arming: the guest stores the arm word with the next number, with release, and rings the queue's
 * slot. The HCA takes a word with a number it has not seen; if completions beyond the consumer
 * index in it are there already, it raises the event at once, so none is lost between the last poll
 * and the arm.
 */
public final class CqHeaderLayout {
    public static final long SIZE_BYTES = 128;
    static final long CONSUMER_INDEX_OFFSET = 0;
    static final long ARM_ANY_OFFSET = 64;
    static final long ARM_SOLICITED_OFFSET = 72;

    private CqHeaderLayout() {}

    /** Bytes of ring memory that a queue of {@code entries} needs. */
    public static long totalBytes(int entries) {
        return SIZE_BYTES + entries * CqeLayout.SIZE_BYTES;
    }

    /** Copies what the guest said last, for a ring that takes over. */
    public static void copy(MemorySegment from, long ring, MemorySegment to, long newRing) {
        MemorySegment.copy(from, ring, to, newRing, SIZE_BYTES);
    }

    public static void consumerIndexRelease(MemorySegment memory, long ring, int index) {
        ORDERED_INT.setRelease(memory, ring + CONSUMER_INDEX_OFFSET, index);
    }

    public static int consumerIndexAcquire(MemorySegment memory, long ring) {
        return (int) ORDERED_INT.getAcquire(memory, ring + CONSUMER_INDEX_OFFSET);
    }

    public static void armRelease(
            MemorySegment memory, long ring, boolean solicitedOnly, int number, int consumerIndex) {
        ORDERED_LONG.setRelease(
                memory,
                ring + (solicitedOnly ? ARM_SOLICITED_OFFSET : ARM_ANY_OFFSET),
                (long) number << 32 | (consumerIndex & 0xffff_ffffL));
    }

    /** The arm word: {@link #armNumber} and {@link #armConsumerIndex} take it apart. */
    public static long armAcquire(MemorySegment memory, long ring, boolean solicitedOnly) {
        return (long) ORDERED_LONG.getAcquire(memory, ring + (solicitedOnly ? ARM_SOLICITED_OFFSET : ARM_ANY_OFFSET));
    }

    public static int armNumber(long armWord) {
        return (int) (armWord >>> 32);
    }

    public static int armConsumerIndex(long armWord) {
        return (int) armWord;
    }
}
