package io.hyperverbs.upper.mpi.link;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What ranks say of their rings when they connect: {@value #BYTES} bytes, big-endian.
 *
 * @param address of the ring that the peer may write to, with room for credits behind it
 * @param rkey of that
 * @param ringBytes length of the ring, a power of two
 * @param receives that are posted
 */
record PeerTerms(long address, int rkey, int ringBytes, int receives) {
    static final int BYTES = 20;

    /** "MPI" and the version of the frames. */
    static final int PROTOCOL = 0x4d50_4901;

    private static final int LEAST_RING_BYTES = 1024;
    private static final int MOST_RING_BYTES = 1 << 30;
    private static final int MOST_RECEIVES = 1 << 20;

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(address)
                .putInt(rkey)
                .putInt(ringBytes)
                .putInt(receives)
                .array();
    }

    /** Empty if it is no such thing. */
    static Optional<PeerTerms> parse(ByteBuffer bytes) {
        if (bytes.remaining() < BYTES) {
            return Optional.empty();
        }
        PeerTerms terms = new PeerTerms(bytes.getLong(), bytes.getInt(), bytes.getInt(), bytes.getInt());
        boolean sound = Integer.bitCount(terms.ringBytes) == 1
                && terms.ringBytes >= LEAST_RING_BYTES
                && terms.ringBytes <= MOST_RING_BYTES
                && terms.receives > 0
                && terms.receives <= MOST_RECEIVES;
        return sound ? Optional.of(terms) : Optional.empty();
    }
}
