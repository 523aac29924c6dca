package io.hyperverbs.backend.cm;

/** States of one end of a connection (IBA 12.9.7). */
public enum ConnectionState {
    IDLE,
    REQ_SENT,
    REQ_RECEIVED,
    REP_SENT,
    REP_RECEIVED,
    ESTABLISHED,
    DREQ_SENT,
    DREQ_RECEIVED,
    TIMEWAIT,
    /** A service id is to be resolved (IBA 12.11). */
    SIDR_REQ_SENT,
    SIDR_REQ_RECEIVED;

    /** Whether a program has been asked, and has not answered. */
    public boolean isCalled() {
        return this == REQ_RECEIVED || this == SIDR_REQ_RECEIVED;
    }
}
