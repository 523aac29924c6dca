package io.hyperverbs.backend.management;

/** States of one end of a connection (IBA 12.9.7). */
enum ConnectionState {
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
