package io.hyperverbs.verbs;

import java.util.List;

/**
 * Receives that several queue pairs take from ({@code ibv_srq}). Posting and {@link #resize} are
 * for one thread at a time, the rest for any. Keys are looked up in the protection domain of this
 * queue, whatever that of the queue pair.
 */
public interface SharedReceiveQueue extends VerbsObject {
    ProtectionDomain pd();

    /** Its number in the HCA, 24 bits, random ({@code ibv_get_srq_num}). */
    int srqn();

    /** Sizes now: at least what was asked. */
    SrqLimits limits();

    /** Sizes and limit as the HCA has them ({@code ibv_query_srq}). */
    SrqAttributes query() throws VerbsException;

    /**
     * Asks for one event when fewer than {@code limit} receives are left ({@code ibv_modify_srq},
     * {@code IBV_SRQ_LIMIT}). One-shot; at once if so few are there already.
     *
     * @param limit 0, for no event, to {@link SrqLimits#receiveWr}
     * @throws VerbsException EINVAL for any other
     */
    void armLimit(int limit) throws VerbsException;

    /**
     * Makes room for more or fewer requests ({@code ibv_modify_srq}, {@code IBV_SRQ_MAX_WR}); those
     * posted stay, in order.
     *
     * @throws VerbsException EINVAL for a bad size, or for one below the requests outstanding or
     *     below the limit; nothing is changed then
     */
    void resize(int receiveWr) throws VerbsException;

    /**
     * Posts receive buffers in order, all or none ({@code ibv_post_srq_recv}).
     *
     * @return SUCCESS; ENOMEM if the queue has not room for all; EINVAL with too many SGEs
     */
    @CheckReturnValue
    VerbsStatus postReceive(List<ReceiveWorkRequest> requests);

    /** Posts one receive buffer. */
    @CheckReturnValue
    default VerbsStatus postReceive(ReceiveWorkRequest request) {
        return postReceive(List.of(request));
    }

    /** The reusable form of posting: one object per queue, no allocation. */
    ReceivePoster receives();
}
