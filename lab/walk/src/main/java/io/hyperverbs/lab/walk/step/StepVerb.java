package io.hyperverbs.lab.walk.step;

import io.hyperverbs.verbs.Access;

/** Send operations of a walk. */
public enum StepVerb {
    SEND,
    SEND_IMM,
    WRITE,
    WRITE_IMM,
    READ,
    SWAP,
    ADD,
    /** A send of UD. */
    DATAGRAM,
    DATAGRAM_IMM,
    /** A send that ends a window of the peer. */
    SEND_INV,
    BIND,
    LOCAL_INV;

    public boolean isAtomic() {
        return this == SWAP || this == ADD;
    }

    /** Whether it takes a receive of the peer. */
    public boolean takesReceive() {
        return isSend() || this == WRITE_IMM;
    }

    public boolean isSend() {
        return this == SEND || this == SEND_IMM || this == SEND_INV;
    }

    public boolean hasImmediate() {
        return this == SEND_IMM || this == WRITE_IMM || this == DATAGRAM_IMM;
    }

    public boolean isDatagram() {
        return this == DATAGRAM || this == DATAGRAM_IMM;
    }

    /** Whether it changes windows and sends nothing. */
    public boolean isWindowWork() {
        return this == BIND || this == LOCAL_INV;
    }

    /** The bit of the right that it needs of the peer, as in {@link Access}; 0 for none. */
    public int right() {
        return switch (this) {
            case SEND, SEND_IMM, SEND_INV, DATAGRAM, DATAGRAM_IMM, BIND, LOCAL_INV -> 0;
            case WRITE, WRITE_IMM -> Access.REMOTE_WRITE.bit();
            case READ -> Access.REMOTE_READ.bit();
            case SWAP, ADD -> Access.REMOTE_ATOMIC.bit();
        };
    }

    /** Whether its result lands in memory of the requester. */
    public boolean returnsData() {
        return this == READ || isAtomic();
    }
}
