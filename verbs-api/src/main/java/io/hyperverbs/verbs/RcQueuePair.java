package io.hyperverbs.verbs;

/** A queue pair of the reliable connection transport ({@code IBV_QPT_RC}). */
public interface RcQueuePair extends QueuePair {
    @Override
    default QpType type() {
        return QpType.RC;
    }

    /**
     * What the peer must know to connect here and to reach {@code region}.
     *
     * @param psn the first packet sequence number this side will send
     */
    default Endpoint endpoint(int psn, MemoryRegion region) throws VerbsException {
        return new Endpoint(
                pd().context().queryPort(1).lid(), qpn(), psn, region.address(), region.rkey(), region.lengthBytes());
    }

    /**
     * Takes the queue pair from RESET to RTS with the defaults of {@link QpAttributes}.
     *
     * @param psn the one given to {@link #endpoint}
     * @param access what the peer may do through this queue pair
     */
    default void connect(Endpoint peer, int psn, java.util.Set<Access> access) throws VerbsException {
        modify(QpAttributes.toInit(access));
        modify(QpAttributes.toRtr(peer));
        modify(QpAttributes.toRts(psn));
    }
}
