package io.hyperverbs.upper.mpi.progress;

/**
 * How a long message gets from RAM to RAM. The receiver decides, when it takes the message; senders do as it asks. For
 * all of a program; any thread.
 */
public enum LongTransfer {
    /** The receiver reads the sender's buffer, which its peer cannot write to. */
    READ,
    /** The receiver says where its buffer is, and the sender writes into it: one frame more, and no read's way back. */
    WRITE;

    /** One program's classes are loaded for it alone, so that ranks of one guest choose for themselves. */
    private static volatile LongTransfer chosen = READ;

    public static LongTransfer chosen() {
        return chosen;
    }

    /** From now on messages are received so. */
    public static void choose(LongTransfer how) {
        chosen = how;
    }
}
