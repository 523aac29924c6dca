package io.hyperverbs.upper.dsm.link;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What nodes say of their memory when they connect: {@value #BYTES} bytes, big-endian.
 *
 * @param address of the copy of the shared memory
 * @param rkey of that, for reads and writes
 * @param memoryBytes length of the shared memory
 * @param frameBytes of messages
 */
record NodeTerms(long address, int rkey, long memoryBytes, int frameBytes) {
    static final int BYTES = 24;

    /** "DSM" and the version of the frames. */
    static final int PROTOCOL = 0x4453_4d01;

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(address)
                .putInt(rkey)
                .putLong(memoryBytes)
                .putInt(frameBytes)
                .array();
    }

    /** Empty if it is too short. */
    static Optional<NodeTerms> parse(ByteBuffer bytes) {
        return bytes.remaining() < BYTES
                ? Optional.empty()
                : Optional.of(new NodeTerms(bytes.getLong(), bytes.getInt(), bytes.getLong(), bytes.getInt()));
    }

    /** Whether both ends have chosen the same options. */
    boolean fits(NodeTerms other) {
        return memoryBytes == other.memoryBytes && frameBytes == other.frameBytes;
    }
}
