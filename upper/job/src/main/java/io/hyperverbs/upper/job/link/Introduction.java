package io.hyperverbs.upper.job.link;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.verbs.PrivateData;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What programs of a job say of themselves when they connect: private data of REQ and REP, big-endian.
 *
 * @param protocol number of the protocol on the connection, with its version
 * @param job its key
 * @param from the rank that says it
 * @param to the rank that it is for
 * @param terms what the protocol adds
 */
record Introduction(int protocol, long job, int from, int to, ByteBuffer terms) {
    static final int HEADER_BYTES = 20;

    PrivateData privateData() {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + terms.remaining())
                .putInt(protocol)
                .putLong(job)
                .putInt(from)
                .putInt(to)
                .put(terms.duplicate());
        return PrivateData.of(bytes.array());
    }

    /** Empty if it is no such thing. The wire fills private data up with zeros, which the terms have behind them then. */
    static Optional<Introduction> parse(PrivateData data) {
        if (data.length() < HEADER_BYTES) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(data.bytes());
        return Optional.of(
                new Introduction(bytes.getInt(), bytes.getLong(), bytes.getInt(), bytes.getInt(), bytes.slice()));
    }

    /** Whether it is what a rank of the same job says to this one. */
    boolean isFor(JobPlace place, int expectedProtocol, int expectedFrom) {
        return protocol == expectedProtocol && job == place.key() && from == expectedFrom && to == place.rank();
    }
}
