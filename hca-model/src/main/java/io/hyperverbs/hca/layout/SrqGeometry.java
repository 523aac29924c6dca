package io.hyperverbs.hca.layout;

/**
 * Where the entries of a shared receive queue lie in its ring memory; both sides compute it from
 * the same sizes, neither reads it from shared memory. The two indexes at its head are {@link
 * SrqRingLayout}'s.
 *
 * @param entries power of two, 1 to {@link QueueGeometry#MAX_ENTRIES}
 * @param strideBytes multiple of 32: one {@link ReceiveWqeLayout}
 */
public record SrqGeometry(int entries, int strideBytes) {

    /** Whether the sizes are within the limits of the HCA; ask before {@link #of}. */
    public static boolean isValid(int receiveWr, int receiveSge) {
        return receiveWr >= 1
                && receiveWr <= QueueGeometry.MAX_ENTRIES
                && receiveSge >= 1
                && receiveSge <= QueueGeometry.MAX_SGE;
    }

    /**
     * The geometry for these limits, entries rounded up to a power of two.
     *
     * @throws IllegalArgumentException if {@link #isValid} is false
     */
    public static SrqGeometry of(int receiveWr, int receiveSge) {
        if (!isValid(receiveWr, receiveSge)) {
            throw new IllegalArgumentException("queue sizes beyond the HCA's limits");
        }
        int bytes = (int) ReceiveWqeLayout.SGES_OFFSET + receiveSge * SendWqeLayout.SGE_BYTES;
        return new SrqGeometry(QueueGeometry.powerOfTwo(receiveWr), (bytes + 31) / 32 * 32);
    }

    /** Bytes of ring memory that the queue needs. */
    public long totalBytes() {
        return SrqRingLayout.ENTRIES_OFFSET + (long) entries * strideBytes;
    }

    /** Byte offset of the slot of a free-running index. */
    public long slot(int index) {
        return SrqRingLayout.ENTRIES_OFFSET + (long) (index & (entries - 1)) * strideBytes;
    }
}
