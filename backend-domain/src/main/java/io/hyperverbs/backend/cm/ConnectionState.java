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
    TIMEWAIT
}
