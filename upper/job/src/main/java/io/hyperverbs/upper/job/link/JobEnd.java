package io.hyperverbs.upper.job.link;

import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.cm.CmConnection;
import java.nio.ByteBuffer;

/** This program's end of the connection to another one of its job. */
public interface JobEnd {
    /** What is left of the private data of a REQ for {@link #terms}. */
    int MOST_TERMS_BYTES = PrivateData.REQ_BYTES - Introduction.HEADER_BYTES;

    /** In INIT, with its receives posted. */
    RcQueuePair qp();

    /** What the other end must know, at most {@link #MOST_TERMS_BYTES}. */
    byte[] terms();

    /**
     * The connection is there.
     *
     * @param connection is this end's from now on
     * @param peerTerms what the other end has said, big-endian; it may be longer, or nonsense
     * @throws VerbsException ECONNREFUSED if these are no terms
     */
    void connected(CmConnection connection, ByteBuffer peerTerms) throws VerbsException;

    /** Gives back what was taken, as the other end did not come. */
    void close() throws VerbsException;
}
