package io.hyperverbs.verbs;

/** Bits of {@code ibv_send_flags}, as WQEs carry them. */
public final class SendFlags {
    public static final int NONE = 0;

    /** Earlier reads and atomics of this queue end before this request starts. */
    public static final int FENCE = 1;

    /** Success writes a completion too. */
    public static final int SIGNALLED = 1 << 1;

    /** The receive's completion counts as solicited. */
    public static final int SOLICITED = 1 << 2;

    /** Payload is copied into the WQE at post; set by {@link SendPoster#inline}. */
    public static final int INLINE = 1 << 3;

    private SendFlags() {}
}
