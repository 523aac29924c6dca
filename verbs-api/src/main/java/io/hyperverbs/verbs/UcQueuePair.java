package io.hyperverbs.verbs;

import java.util.Set;

/**
 * A queue pair of the unreliable connection transport ({@code IBV_QPT_UC}): sends and writes, no
 * acknowledgement. A failed request stops its send queue ({@link QpState#SQE}).
 */
public interface UcQueuePair extends QueuePair {
    @Override
    default QpType type() {
        return QpType.UC;
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
    default void connect(Endpoint peer, int psn, Set<Access> access) throws VerbsException {
        modify(QpAttributes.toInit(access));
        modify(QpAttributes.toUcRtr(peer));
        modify(QpAttributes.toUnacknowledgedRts(psn));
    }
}
