package io.hyperverbs.upper.mpi.match;

/**
 * What a message is matched by, and its length.
 *
 * @param context of the communicator
 * @param source a rank of the job
 * @param tag not negative
 * @param bytes of the whole message
 */
public record Envelope(int context, int source, int tag, long bytes) {}
