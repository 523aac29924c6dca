package io.hyperverbs.verbs;

/**
 * A queue pair of the unreliable datagram transport ({@code IBV_QPT_UD}): each send names its
 * destination, each receive begins with the 40 bytes of {@link Grh}. A failed request stops its
 * send queue ({@link QpState#SQE}).
 */
public interface UdQueuePair extends QueuePair {
    /** The QPN that datagrams to a multicast group are sent to. */
    int MULTICAST_QPN = 0xff_ffff;

    @Override
    default QpType type() {
        return QpType.UD;
    }

    /**
     * Takes the queue pair from RESET to RTS on port 1 with P_Key index 0.
     *
     * @param qkey what senders must know; the high bit must be 0
     * @param psn the first packet sequence number this side will send
     */
    default void activate(int qkey, int psn) throws VerbsException {
        modify(QpAttributes.toUdInit(qkey));
        modify(QpAttributes.to(QpState.RTR));
        modify(QpAttributes.toUnacknowledgedRts(psn));
    }

    /**
     * Takes datagrams to a multicast group from now on ({@code ibv_attach_mcast}), in any state.
     * Attaching twice is once. An attached queue pair cannot be closed.
     *
     * @param group a GID of {@code ff00::/8}
     * @param lid 0xc000 to 0xfffe
     * @throws VerbsException EINVAL if they are no group's; EAGAIN above the quota; ENOMEM if the
     *     HCA has no room for the group or in it
     */
    void attachMulticast(Gid group, int lid) throws VerbsException;

    /**
     * Takes no more of them ({@code ibv_detach_mcast}).
     *
     * @throws VerbsException EINVAL if it is not attached
     */
    void detachMulticast(Gid group, int lid) throws VerbsException;
}
