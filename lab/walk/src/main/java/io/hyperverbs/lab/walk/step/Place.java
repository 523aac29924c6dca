package io.hyperverbs.lab.walk.step;

/**
 * Memory as a request names it: a key and an address.
 *
 * @param key slot of a region, for the key of the last one that was there; {@link #NO_KEY}; or a
 *     key that the last window of a slot had or has, as {@link #windowKey} makes it
 * @param offset from the start of the memory of the domain of region or window, or of the poster's
 *     if there is none; any 64-bit number
 * @param length bytes; negative ones are refused at post
 */
public record Place(int key, long offset, int length) {
    /** Nobody's key. */
    public static final int NO_KEY = -1;

    /**
     * Offsets from here on, {@link #TOP_BYTES} of them, stand for the last addresses there are, so
     * that a range can be named that wraps 2^64.
     */
    public static final long TOP = Long.MIN_VALUE;

    public static final long TOP_BYTES = 1 << 16;

    private static final int FIRST_WINDOW_KEY = 1 << 16;
    private static final int TAGS = 256;

    /**
     * The key of a window.
     *
     * @param tag counted from the key that the window began with; the low 8 bits count
     */
    public static int windowKey(int slot, int tag) {
        return FIRST_WINDOW_KEY + slot * TAGS + (tag & TAGS - 1);
    }

    public boolean isWindow() {
        return key >= FIRST_WINDOW_KEY;
    }

    /** The slot of the window whose key it is. */
    public int windowSlot() {
        return (key - FIRST_WINDOW_KEY) / TAGS;
    }

    /** The tag of the window's key. */
    public int tag() {
        return key & TAGS - 1;
    }

    /**
     * The address, in the address space of the domain.
     *
     * @param base address of its memory
     */
    public long address(long base) {
        return offset < TOP + TOP_BYTES ? offset - TOP - TOP_BYTES : base + offset;
    }

    String format() {
        String name = isWindow() ? "w" + windowSlot() + "." + tag() : Integer.toString(key);
        return name + "@" + offset + "+" + length;
    }

    /**
     * @throws IllegalArgumentException if it is none that {@link #format} wrote
     */
    static Place parse(String word) {
        int at = word.indexOf('@');
        int plus = word.lastIndexOf('+');
        if (at < 0 || plus < at) {
            throw new IllegalArgumentException("'" + word + "' must be key@offset+length");
        }
        return new Place(
                key(word.substring(0, at)),
                Long.parseLong(word.substring(at + 1, plus)),
                Integer.parseInt(word.substring(plus + 1)));
    }

    private static int key(String word) {
        if (!word.startsWith("w")) {
            return Integer.parseInt(word);
        }
        int dot = word.indexOf('.');
        return windowKey(Integer.parseInt(word.substring(1, dot)), Integer.parseInt(word.substring(dot + 1)));
    }
}
