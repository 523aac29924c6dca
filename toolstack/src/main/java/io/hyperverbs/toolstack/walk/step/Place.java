package io.hyperverbs.toolstack.walk.step;

/**
 * Memory as a request names it: the key of the region in a slot, or of the last one that was there,
 * and an address.
 *
 * @param region slot, or -1 for a key that no region has
 * @param offset from the start of the memory of the region's domain, or of the poster's if there is
 *     no region; any 64-bit number
 * @param length bytes; negative ones are refused at post
 */
public record Place(int region, long offset, int length) {
    /** No region's key. */
    public static final int NO_REGION = -1;

    /**
     * Offsets from here on, {@link #TOP_BYTES} of them, stand for the last addresses there are, so
     * that a range can be named that wraps 2^64.
     */
    public static final long TOP = Long.MIN_VALUE;

    public static final long TOP_BYTES = 1 << 16;

    /**
     * The address, in the address space of the domain.
     *
     * @param base address of its memory
     */
    public long address(long base) {
        return offset < TOP + TOP_BYTES ? offset - TOP - TOP_BYTES : base + offset;
    }

    String format() {
        return region + "@" + offset + "+" + length;
    }

    /**
     * @throws IllegalArgumentException if it is none that {@link #format} wrote
     */
    static Place parse(String word) {
        int at = word.indexOf('@');
        int plus = word.lastIndexOf('+');
        if (at < 0 || plus < at) {
            throw new IllegalArgumentException("'" + word + "' must be region@offset+length");
        }
        return new Place(
                Integer.parseInt(word.substring(0, at)),
                Long.parseLong(word.substring(at + 1, plus)),
                Integer.parseInt(word.substring(plus + 1)));
    }
}
