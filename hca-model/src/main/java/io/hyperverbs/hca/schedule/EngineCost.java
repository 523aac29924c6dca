package io.hyperverbs.hca.schedule;

/**
 * What the engine's work costs a domain, in nanoseconds: what it takes on average, for where
 * measuring would take as long. So that tiny messages, bare doorbells and verbs do not come free.
 */
public final class EngineCost {
    /** One request, or one piece of a long one, besides its bytes; an answer that refuses too. */
    public static final long REQUEST = 200;

    /** A turn without work. */
    public static final long EMPTY_TURN = 50;

    /** A doorbell taken, whatever is behind its slot. */
    public static final long DOORBELL = 10;

    /** A sleeping thread of a domain woken. */
    public static final long WAKE = 3_000;

    /** A timer that ran out. */
    public static final long TIMER = 50;

    /** A command of the driver for one object. */
    public static final long COMMAND = 4_000;

    /** A look at all queue pairs of the HCA, as when a queue breaks. */
    public static final long SCAN = 8_000;

    /** More than any turn takes: the engine's thread was kept from running. */
    public static final long LONGEST_TURN = 10_000;

    private static final int BYTES_PER_NANO_SHIFT = 5;

    private EngineCost() {}

    /** A request of that many bytes, 32 of them a nanosecond. */
    public static long request(long bytes) {
        return REQUEST + (bytes >> BYTES_PER_NANO_SHIFT);
    }
}
