package io.hyperverbs.hca.schedule;

/**
 * What the engine's work costs a domain, in one currency: bytes that it could have copied in that
 * time. So that tiny messages, bare doorbells and verbs do not come free.
 */
public final class Price {
    /** One request, or one piece of a long one, besides its bytes; an answer that refuses too. */
    public static final long REQUEST = 1024;

    /** A turn without work. */
    public static final long EMPTY_TURN = 64;

    /** A doorbell taken, whatever is behind its slot. */
    public static final long DOORBELL = 64;

    /** A timer that ran out. */
    public static final long TIMER = 256;

    /** A command of the driver for one object. */
    public static final long COMMAND = 16 * 1024;

    /** A look at all queue pairs of the card, as when a queue breaks. */
    public static final long SCAN = 32 * 1024;

    private Price() {}
}
