package io.hyperverbs.hca.link;

/**
 * The dice of one link. What is drawn for a packet is a function of the link's seed, of the packet's number on the link
 * and of the cause, and of nothing else: the same packets meet the same fate again, and a packet that is lost at 0.1 %
 * is lost at 1 % too (counter-based random numbers: J. Salmon and others, Parallel random numbers, 2011; the mixing
 * function is that of SplittableRandom). Engine thread only.
 */
final class LinkDraw {
    /** What is drawn, each from a stream of its own. */
    enum Cause {
        LOSS(1),
        DUPLICATE(2),
        CORRUPT(3),
        BIT(4),
        REORDER(5),
        JITTER(6),
        COPY_JITTER(7),
        MARK(8);

        private final long stream;

        Cause(int number) {
            stream = mix(GOLDEN * number);
        }
    }

    private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

    private final long key;
    private long packet;

    LinkDraw(long seed, int port, int address) {
        key = mix(mix(seed + GOLDEN) ^ ((long) port << 32 | (address & 0xffff_ffffL)));
    }

    /** The next packet of the link came. */
    void next() {
        packet++;
    }

    /** Whether it is among that share, in parts of a billion. */
    boolean hits(Cause cause, int share) {
        return share > 0 && below(cause, Quantity.BILLION) < share;
    }

    /** A number from 0, below {@code bound}, evenly. */
    long below(Cause cause, long bound) {
        // The high word of the product: for bounds far below 2^63 the skew is not measurable.
        return Math.unsignedMultiplyHigh(mix((key + packet * GOLDEN) ^ cause.stream), bound);
    }

    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ z >>> 27) * 0x94d0_49bb_1331_11ebL;
        return z ^ z >>> 31;
    }
}
