package io.hyperverbs.verbs;

import java.util.Set;

/**
 * The sending end of XRC ({@code IBV_QPT_XRC_SEND}): each request names a shared receive queue of
 * the peer, {@link SendWorkRequest.Xrc} or {@link SendPoster#sharedQueue}. It has no receive queue.
 */
public interface XrcInitiator extends QueuePair {
    @Override
    default QpType type() {
        return QpType.XRC_SEND;
    }

    /** Takes it from RESET to RTS towards a target, with the defaults of {@link QpAttributes}. */
    default void connect(Endpoint target, int psn) throws VerbsException {
        modify(QpAttributes.toInit(Set.of()));
        modify(QpAttributes.toRtr(target)
                .without(QpAttribute.MAX_DEST_RD_ATOMIC)
                .without(QpAttribute.MIN_RNR_TIMER));
        modify(QpAttributes.toRts(psn));
    }
}
