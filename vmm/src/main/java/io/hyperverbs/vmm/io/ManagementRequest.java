package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.sa.Destination;

/** A management operation on its way to the backend (Liu 2006 §4.4). */
public sealed interface ManagementRequest {

    record CreateChannel(long context) implements ManagementRequest {}

    record Listen(long channel, long serviceId, int backlog) implements ManagementRequest {}

    record Resolve(long channel, Destination to) implements ManagementRequest {}

    /** REQ. */
    record Connect(long connection, long serviceId, CmOffer offer, long responseNanos, PrivateData data)
            implements ManagementRequest {}

    /** REP. */
    record Accept(long connection, CmOffer offer, long responseNanos, PrivateData data) implements ManagementRequest {}

    /** A message that says no more than its private data. */
    record Answer(long connection, Kind kind, PrivateData data) implements ManagementRequest {
        /** Which message; codes travel in messages. */
        public enum Kind {
            RTU(0, "cm_rtu"),
            REJ(1, "cm_rej"),
            /** DREQ, or DREP if the peer was first. */
            DISCONNECT(2, "cm_disconnect");

            private final int code;
            private final String verb;

            Kind(int code, String verb) {
                this.code = code;
                this.verb = verb;
            }

            /** The number in messages. */
            public int code() {
                return code;
            }

            static Kind of(int code) {
                for (Kind kind : values()) {
                    if (kind.code == code) {
                        return kind;
                    }
                }
                throw new ProtocolViolation("answer of kind " + code);
            }

            /** Its name in words. */
            public String verb() {
                return verb;
            }
        }
    }

    record TakeEvents(long channel) implements ManagementRequest {}

    /** Lets a channel, a listener, a connection, a membership or a registration go. */
    record Release(long handle) implements ManagementRequest {}

    record QueryOwnGid(long context) implements ManagementRequest {}

    record QueryPath(long context, Destination to) implements ManagementRequest {}

    record JoinGroup(long context, Gid group, int joinState, int qkey) implements ManagementRequest {}

    record QueryGroup(long context, Gid group) implements ManagementRequest {}

    record RegisterService(long context, long id, String name, PrivateData data, long leaseSeconds)
            implements ManagementRequest {}

    /** By {@code id} if it is not 0, else by {@code name}. */
    record QueryServices(long context, long id, String name) implements ManagementRequest {}
}
