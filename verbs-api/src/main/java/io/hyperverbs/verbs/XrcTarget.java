package io.hyperverbs.verbs;

import java.util.Set;

/**
 * The receiving end of XRC ({@code IBV_QPT_XRC_RECV}): nothing is posted to it; what arrives goes
 * into the shared receive queue of its domain that the message names. Any thread.
 */
public interface XrcTarget extends VerbsObject {
    XrcDomain domain();

    /** Queue pair number, 24 bits, random. */
    int qpn();

    /** As {@link QueuePair#modify}; without a send queue there is no SQD. */
    void modify(QpAttributes attributes) throws VerbsException;

    /** As {@link QueuePair#query}. */
    QpAttributes query() throws VerbsException;

    /**
     * Takes it from RESET to RTR.
     *
     * @param access what the initiator may do through it
     */
    default void connect(Endpoint initiator, Set<Access> access) throws VerbsException {
        modify(QpAttributes.toInit(access));
        modify(QpAttributes.toRtr(initiator));
    }
}
