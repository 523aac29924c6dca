package io.hyperverbs.upper.mpi.link;

/**
 * How much a rank keeps for each peer.
 *
 * @param ringBytes of the ring that the peer writes to, a power of two
 * @param receives posted for it
 * @param sends that may be outstanding to it
 */
record LinkSizes(int ringBytes, int receives, int sends) {
    private static final int ALL_RINGS_BYTES = 1 << 20;
    private static final int LEAST_RING_BYTES = 1 << 14;
    private static final int MOST_RING_BYTES = 1 << 18;
    private static final int RECEIVES = 128;
    private static final int SENDS = 128;

    /** All rings of a rank together take a mebibyte or so, as guests are small. */
    static LinkSizes forRanks(int ranks) {
        int each = Integer.highestOneBit(ALL_RINGS_BYTES / Math.max(1, ranks - 1));
        return new LinkSizes(Math.clamp(each, LEAST_RING_BYTES, MOST_RING_BYTES), RECEIVES, SENDS);
    }

    int completions() {
        return receives + sends;
    }
}
