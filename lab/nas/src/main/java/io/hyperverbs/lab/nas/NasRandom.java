package io.hyperverbs.lab.nas;

/**
 * The random numbers of all kernels: x' = a x mod 2^46, a = 5^13, as fractions of 2^46 (RNR-94-007, section 2.3).
 * Products wrap at 2^64, which leaves their lower 46 bits as they are: so longs do what the report does in halves.
 */
public final class NasRandom {
    /** The seed of all kernels but EP. */
    public static final long SEED = 314159265;

    private static final long MULTIPLIER = 1220703125;
    private static final long MASK = (1L << 46) - 1;
    private static final double SCALE = 0x1p-46;

    private long state;

    public NasRandom(long seed) {
        this.state = seed;
    }

    /** @return the next number, above 0 and below 1 */
    public double next() {
        state = (state * MULTIPLIER) & MASK;
        return state * SCALE;
    }

    /** Leaves out numbers, in steps logarithmic in their count; ranks begin in the middle of the sequence by it. */
    public void skip(long count) {
        long factor = MULTIPLIER;
        for (long left = count; left > 0; left >>= 1) {
            if ((left & 1) == 1) {
                state = (state * factor) & MASK;
            }
            factor = (factor * factor) & MASK;
        }
    }
}
