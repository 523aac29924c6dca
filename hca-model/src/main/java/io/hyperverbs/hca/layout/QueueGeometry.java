package io.hyperverbs.hca.layout;

import io.hyperverbs.verbs.QpLimits;

/**
 * Where the rings of a queue pair lie in its ring memory; both sides compute it from the same
 * sizes, neither reads it from shared memory.
 *
 * <pre>
 *    0  | send producer index, int      |  guest
 *   64  | receive producer index, int   |  guest
 *  128  | send ring                     |  sendEntries x sendStrideBytes
 *  ...  | receive ring                  |  receiveEntries x receiveStrideBytes
 * </pre>
 *
 * @param sendEntries power of two, 1 to 65536
 * @param sendStrideBytes multiple of 64
 * @param receiveEntries power of two or 0
 * @param receiveStrideBytes multiple of 32
 */
public record QueueGeometry(int sendEntries, int sendStrideBytes, int receiveEntries, int receiveStrideBytes) {
    public static final int MAX_ENTRIES = 1 << 16;
    public static final int MAX_SGE = 30;
    public static final int MAX_INLINE_BYTES = 480;
    public static final long SEND_PRODUCER_OFFSET = 0;
    public static final long RECEIVE_PRODUCER_OFFSET = 64;
    public static final long SEND_RING_OFFSET = 128;

    /** Whether the sizes are within the limits of the HCA; ask before {@link #of(QpLimits)}. */
    public static boolean isValid(QpLimits limits) {
        return isValid(
                limits.sendWr(), limits.receiveWr(), limits.sendSge(), limits.receiveSge(), limits.inlineBytes());
    }

    /** The same of single sizes. */
    public static boolean isValid(int sendWr, int receiveWr, int sendSge, int receiveSge, int inlineBytes) {
        return sendWr >= 1
                && sendWr <= MAX_ENTRIES
                && receiveWr >= 0
                && receiveWr <= MAX_ENTRIES
                && sendSge >= 1
                && sendSge <= MAX_SGE
                && receiveSge >= 1
                && receiveSge <= MAX_SGE
                && inlineBytes >= 0
                && inlineBytes <= MAX_INLINE_BYTES;
    }

    /**
     * The geometry of a queue pair's rings.
     *
     * @throws IllegalArgumentException if {@link #isValid} is false
     */
    public static QueueGeometry of(QpLimits limits) {
        return of(limits.sendWr(), limits.receiveWr(), limits.sendSge(), limits.receiveSge(), limits.inlineBytes());
    }

    /**
     * The geometry for these limits, entries rounded up to powers of two.
     *
     * @throws IllegalArgumentException if {@link #isValid} is false
     */
    public static QueueGeometry of(int sendWr, int receiveWr, int sendSge, int receiveSge, int inlineBytes) {
        if (!isValid(sendWr, receiveWr, sendSge, receiveSge, inlineBytes)) {
            throw new IllegalArgumentException("queue sizes beyond the HCA's limits");
        }
        int payloadBytes = Math.max(sendSge * SendWqeLayout.SGE_BYTES, inlineBytes);
        int sendStride = roundUp((int) SendWqeLayout.SGES_OFFSET + payloadBytes, 64);
        int receiveStride = roundUp((int) ReceiveWqeLayout.SGES_OFFSET + receiveSge * SendWqeLayout.SGE_BYTES, 32);
        return new QueueGeometry(
                powerOfTwo(sendWr), sendStride, receiveWr == 0 ? 0 : powerOfTwo(receiveWr), receiveStride);
    }

    public long receiveRingOffset() {
        return SEND_RING_OFFSET + (long) sendEntries * sendStrideBytes;
    }

    /** Bytes of ring memory that the queue pair needs. */
    public long totalBytes() {
        return receiveRingOffset() + (long) receiveEntries * receiveStrideBytes;
    }

    /** Byte offset of the send slot of a free-running index. */
    public long sendSlot(int index) {
        return SEND_RING_OFFSET + (long) (index & (sendEntries - 1)) * sendStrideBytes;
    }

    /** Byte offset of the receive slot of a free-running index; not for an empty receive ring. */
    public long receiveSlot(int index) {
        return receiveRingOffset() + (long) (index & (receiveEntries - 1)) * receiveStrideBytes;
    }

    /** The smallest power of two that is not below {@code n}, for 1 to 2^30. */
    public static int powerOfTwo(int n) {
        return n <= 1 ? 1 : Integer.highestOneBit(n - 1) << 1;
    }

    private static int roundUp(int n, int unit) {
        return (n + unit - 1) / unit * unit;
    }
}
