package io.hyperverbs.upper.mpi.frame;

/** What a frame in a receiver's ring is. */
public enum FrameType {
    /** A whole message. */
    EAGER(0),
    /** A message that waits at its sender until a receive matches. */
    REQUEST_TO_SEND(1),
    /** The answer to that where the receiver cannot read the sender's memory: data may come. */
    CLEAR_TO_SEND(2),
    /** A part of a message after CLEAR_TO_SEND. */
    DATA(3),
    /** The receiver has read all of a message out of the sender's memory. */
    FINISHED(4),
    /** The answer to REQUEST_TO_SEND where the sender is to write into the receiver's memory. */
    CLEAR_TO_WRITE(5),
    /** The sender has written all of a message there. */
    WRITTEN(6);

    private static final FrameType[] ALL = values();

    private final int number;

    FrameType(int number) {
        this.number = number;
    }

    /** As {@link FrameLayout} has it. */
    public int number() {
        return number;
    }

    /**
     * The kind with that number.
     *
     * @throws IllegalArgumentException if there is none
     */
    static FrameType of(int number) {
        for (FrameType kind : ALL) {
            if (kind.number == number) {
                return kind;
            }
        }
        throw new IllegalArgumentException("frame of kind " + number);
    }
}
