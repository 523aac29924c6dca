package io.hyperverbs.verbs;

import java.util.List;

/**
 * A send queue and a receive queue ({@code ibv_qp}). Posting is for one thread at a time per queue;
 * the send and the receive queue are independent.
 */
public interface QueuePair extends VerbsObject {
    ProtectionDomain pd();

    QpType type();

    /** Queue pair number, 24 bits, random. */
    int qpn();

    /**
     * Moves the queue pair or changes attributes ({@code ibv_modify_qp}). If anything is invalid
     * nothing changes.
     *
     * @throws VerbsException EINVAL for an illegal move, a missing or an invalid attribute
     */
    void modify(QpAttributes attributes) throws VerbsException;

    /** All attributes as the HCA has them ({@code ibv_query_qp}). */
    QpAttributes query() throws VerbsException;

    /** Sizes as created: at least what was asked. */
    QpLimits limits();

    /**
     * Posts requests in order with one doorbell, all or none ({@code ibv_post_send}); the readable
     * tier. See {@link #sends()} for the tier that allocates nothing.
     *
     * @return SUCCESS; ENOMEM if the queue has not room for all; EINVAL for a request the queue
     *     pair cannot hold or in a state before RTS: {@link #explainPost} says which
     */
    @CheckReturnValue
    VerbsStatus postSend(List<? extends SendWorkRequest> requests);

    /** Posts one request with one doorbell. */
    @CheckReturnValue
    default VerbsStatus postSend(SendWorkRequest request) {
        return postSend(List.of(request));
    }

    /**
     * Binds a window of type 1 to a new key, also if it is bound, or unbinds it with length 0
     * ({@code ibv_bind_mw}). Posts a request of its own; {@link MemoryWindow#rkey} is the new key
     * at once and opens when the request has completed (BIND_MW).
     *
     * @return SUCCESS; EINVAL for a window of type 2 or of another driver, ZERO_BASED, or a state
     *     before RTS; EPERM if PDs of window and region differ; ENOMEM if the queue is full
     */
    VerbsStatus bind(long wrId, int flags, MemoryWindow window, WindowBinding binding);

    /**
     * Posts receive buffers in order, all or none ({@code ibv_post_recv}).
     *
     * @return SUCCESS; ENOMEM if the queue has not room for all; EINVAL in RESET or with too many
     *     SGEs: {@link #explainPost} says which
     */
    @CheckReturnValue
    VerbsStatus postReceive(List<ReceiveWorkRequest> requests);

    /** Posts one receive buffer. */
    @CheckReturnValue
    default VerbsStatus postReceive(ReceiveWorkRequest request) {
        return postReceive(List.of(request));
    }

    /**
     * Why the last post was refused, in words with the limit or the state that counted; empty if it
     * was taken. If both the last send and the last receive were refused: both, each by its name.
     * Posting allocates nothing for it; call it from the thread that posted.
     */
    String explainPost();

    /**
     * The reusable form of posting sends: one object per queue pair, no allocation ({@code
     * ibv_wr_start}).
     */
    SendPoster sends();

    /** The reusable form of posting receives: one object per queue pair, no allocation. */
    ReceivePoster receives();
}
