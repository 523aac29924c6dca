package io.hyperverbs.upper.mpi.link;

import io.hyperverbs.verbs.PrivateData;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What ranks say of themselves when they connect: private data of REQ and REP, {@value #BYTES} bytes, big-endian.
 *
 * @param job its key
 * @param from the rank that says it
 * @param to the rank that it is for
 * @param address of the ring that the peer may write to, with room for credits behind it
 * @param rkey of that
 * @param ringBytes length of the ring, a power of two
 * @param receives that are posted
 */
record PeerTerms(long job, int from, int to, long address, int rkey, int ringBytes, int receives) {
    static final int BYTES = 44;

    /** "MPI" and the version of the frames. */
    private static final int MAGIC = 0x4d50_4901;

    private static final int MOST_RING_BYTES = 1 << 30;
    private static final int MOST_RECEIVES = 1 << 20;

    PrivateData privateData() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putLong(job)
                .putInt(from)
                .putInt(to)
                .putLong(address)
                .putInt(rkey)
                .putInt(ringBytes)
                .putInt(receives)
                .putInt(0);
        return PrivateData.of(bytes.array());
    }

    /** Empty if it is no such thing. The wire fills private data up with zeros. */
    static Optional<PeerTerms> parse(PrivateData data) {
        if (data.length() < BYTES) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(data.bytes());
        if (bytes.getInt() != MAGIC) {
            return Optional.empty();
        }
        PeerTerms terms = new PeerTerms(
                bytes.getLong(),
                bytes.getInt(),
                bytes.getInt(),
                bytes.getLong(),
                bytes.getInt(),
                bytes.getInt(),
                bytes.getInt());
        boolean sound = Integer.bitCount(terms.ringBytes) == 1
                && terms.ringBytes >= 1024
                && terms.ringBytes <= MOST_RING_BYTES
                && terms.receives > 0
                && terms.receives <= MOST_RECEIVES;
        return sound ? Optional.of(terms) : Optional.empty();
    }
}
