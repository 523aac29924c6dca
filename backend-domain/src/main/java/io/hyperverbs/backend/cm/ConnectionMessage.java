package io.hyperverbs.backend.cm;

/** What moves an end of a connection: its own program, its peer, or time. */
public enum ConnectionMessage {
    SEND_REQ,
    SEND_REP,
    SEND_RTU,
    SEND_REJ,
    /** DREQ, or DREP where the peer was first. */
    SEND_DISCONNECT,
    RECEIVE_REQ,
    RECEIVE_REP,
    RECEIVE_RTU,
    RECEIVE_REJ,
    RECEIVE_DREQ,
    RECEIVE_DREP,
    /** Asks which queue pair takes the datagrams of a service. */
    SEND_SIDR_REQ,
    /** One that says which; one that refuses is {@link #SEND_REJ}. */
    SEND_SIDR_REP,
    RECEIVE_SIDR_REQ,
    RECEIVE_SIDR_REP,
    /** The time of the state is over. */
    EXPIRE,
    /** The peer's session ended. */
    PEER_GONE
}
