package io.hyperverbs.upper.mpi.progress;

import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.link.PeerLink;
import java.util.ArrayDeque;
import java.util.Queue;

/** What waits to be sent to one rank, for its credits or for slots of the send queue. It leaves in order. One thread. */
final class OutgoingQueue {
    /** Something to send, by one frame or several. */
    @FunctionalInterface
    interface Outgoing {
        /** Sends what there is room for; whether that was all. */
        boolean advance(PeerLink link) throws MpiError;
    }

    private final PeerLink link;
    private final Queue<Outgoing> waiting = new ArrayDeque<>();

    OutgoingQueue(PeerLink link) {
        this.link = link;
    }

    PeerLink link() {
        return link;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Sends it after all that waits, now if it can be. */
    void send(Outgoing one) throws MpiError {
        if (!waiting.isEmpty() || !one.advance(link)) {
            waiting.add(one);
        }
    }

    /** Goes on, if there is room by now. */
    void advance() throws MpiError {
        while (!waiting.isEmpty() && waiting.element().advance(link)) {
            waiting.remove();
        }
    }
}
