package io.hyperverbs.hca.rc;

/** What the responder says to a message; syndromes of the AETH, and silence. */
public enum Answer {
    ACK,
    /** No answer: the requester's ack timer expires. */
    DROP,
    /** No receive: the requester waits for the responder's RNR delay. */
    RNR_NAK,
    NAK_INVALID_REQUEST,
    NAK_REMOTE_ACCESS,
    NAK_REMOTE_OPERATION
}
