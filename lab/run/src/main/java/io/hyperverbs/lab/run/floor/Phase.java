package io.hyperverbs.lab.run.floor;

/** What the processes of a floor are to do. */
enum Phase {
    /** Sleep. */
    IDLE(0),
    /** The engine polls for copies. */
    WRITES(1),
    /** The engine polls for copies, the peer for what arrives, which it sends back. */
    MESSAGES(2),
    /** The engine polls for copies, and wakes who has asked for one. */
    WAKES(3),
    /** The engine polls for batches of copies. */
    STREAM(4),
    /** The engine polls for batches of copies, the peer for what arrives, which it takes. */
    MESSAGE_STREAM(5),
    END(6);

    private static final Phase[] ALL = values();

    private final int number;

    Phase(int number) {
        this.number = number;
    }

    /** As in shared memory. */
    int number() {
        return number;
    }

    /** The phase of a number; {@link #END} for one that is none. */
    static Phase of(int number) {
        for (Phase phase : ALL) {
            if (phase.number == number) {
                return phase;
            }
        }
        return END;
    }
}
