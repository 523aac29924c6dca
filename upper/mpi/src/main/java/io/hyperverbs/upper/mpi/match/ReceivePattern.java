package io.hyperverbs.upper.mpi.match;

/**
 * Which messages a receive or a probe takes.
 *
 * @param context of the communicator
 * @param source a rank of the job, or {@link #ANY}
 * @param tag not negative, or {@link #ANY}
 */
public record ReceivePattern(int context, int source, int tag) {
    public static final int ANY = -1;

    /** Whether it takes a message with this envelope. */
    public boolean takes(Envelope message) {
        return context == message.context()
                && (source == ANY || source == message.source())
                && (tag == ANY || tag == message.tag());
    }
}
