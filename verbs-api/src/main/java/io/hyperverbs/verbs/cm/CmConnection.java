package io.hyperverbs.verbs.cm;

import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;

/**
 * One end of a connection ({@code rdma_cm_id}). Closing it withdraws, rejects or disconnects, as
 * its state has it. Callable from any thread.
 */
public interface CmConnection extends VerbsObject {
    /** The guest it leads to. */
    String guest();

    /**
     * Sends a REQ ({@code rdma_connect}); the answer is an event, always. The library takes a queue
     * pair in RESET to INIT now and to RTR and RTS when the REP comes.
     *
     * @param qp RC or UC, of this domain
     * @throws VerbsException EINVAL in any state but idle, for a value out of range or private data
     *     beyond {@link PrivateData#REQ_BYTES}; EBUSY while events of it are unread
     */
    void connect(QueuePair qp, long serviceId, CmParameters parameters) throws VerbsException;

    /**
     * Answers a REQ with a REP ({@code rdma_accept}); ESTABLISHED comes with the RTU. The library
     * takes the queue pair to RTS first.
     *
     * @throws VerbsException EINVAL if no REQ waits for an answer
     */
    void accept(QueuePair qp, CmParameters parameters) throws VerbsException;

    /**
     * Answers a REQ or REP with a REJ ({@code rdma_reject}).
     *
     * @throws VerbsException EINVAL if neither waits for an answer
     */
    void reject(PrivateData data) throws VerbsException;

    /**
     * Answers a REP with an RTU ({@code rdma_establish}); for programs that move the queue pair
     * themselves.
     *
     * @throws VerbsException EINVAL if no REP waits for an answer
     */
    void establish(PrivateData data) throws VerbsException;

    /**
     * Moves the queue pair to ERR and sends a DREQ, or the DREP if the peer was first ({@code
     * rdma_disconnect}).
     *
     * @throws VerbsException EINVAL if it neither is connected nor waits out its time
     */
    void disconnect(PrivateData data) throws VerbsException;

    /**
     * What the next move of the queue pair is to set, as negotiated ({@code rdma_init_qp_attr}).
     *
     * @param state INIT, with the P_Key index of the path, and without rights before {@link #connect} or {@link #accept}
     *     has named the queue pair: for who posts receives before that; RTR and RTS once the peer's offer is known
     * @throws VerbsException EINVAL for another state, or too early
     */
    QpAttributes attributes(QpState state) throws VerbsException;
}
