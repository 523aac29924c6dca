package io.hyperverbs.verbs.cm;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * Something that happened to a connection ({@code rdma_cm_event}).
 *
 * @param connection whose; a new one with CONNECT_REQUEST, which its taker closes
 * @param listener service id of the listener with CONNECT_REQUEST, else 0
 * @param status SUCCESS, or why it did not go well
 * @param reject what the REJ said, NONE without one
 * @param guest name of the peer's domain
 * @param gid of the peer
 * @param offer the peer's queue pair as its REQ or REP describes it; zeros before
 * @param privateData what the peer's program put into the message
 */
public record CmEvent(
        Type type,
        CmConnection connection,
        long listener,
        VerbsStatus status,
        RejectReason reject,
        String guest,
        Gid gid,
        CmOffer offer,
        PrivateData privateData) {

    /** {@code rdma_cm_event_type}, with its codes. */
    public enum Type {
        /** A REQ came: accept it or reject it. */
        CONNECT_REQUEST(4),
        /** A REP came and the program moves its queue pair itself: establish or reject. */
        CONNECT_RESPONSE(5),
        /** The library could not move the queue pair; the peer was rejected. */
        CONNECT_ERROR(6),
        /** The peer did not answer in time, or died before it did; or it gave no queue pair for datagrams. */
        UNREACHABLE(7),
        /** A REJ came; {@link CmEvent#reject} says why. */
        REJECTED(8),
        /** The connection is there, or the queue pair of a service of datagrams is known. */
        ESTABLISHED(9),
        /** The peer disconnected or died, or answered this side's disconnect. */
        DISCONNECTED(10),
        /** The queue pair may be used for another connection. */
        TIMEWAIT_EXIT(15);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        /**
         * The type with that code.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static Type of(int code) {
            for (Type type : values()) {
                if (type.code == code) {
                    return type;
                }
            }
            throw new IllegalArgumentException("CM event " + code);
        }
    }
}
