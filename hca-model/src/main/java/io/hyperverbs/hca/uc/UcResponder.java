package io.hyperverbs.hca.uc;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.event.EventRaiser;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.hca.tpt.Window;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.ReceiveWqeFetch;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpState;
import org.jspecify.annotations.Nullable;

/**
 * The responder of UC. What is wrong with a message costs this side nothing but the message: it is
 * dropped and counted (IBA 9.8.2). A receive that is wrong itself ends in error, and the queue pair
 * with it.
 */
public final class UcResponder {
    private final Tpt tpt;
    private final ContextMemory contexts;
    private final Completer completer;
    private final EventRaiser events;
    private final ReceiveWqeFetch receives;
    private final SgList place;
    private @Nullable Qp missed;
    // UC has no NAK: the error is not reported.
    private final CompletionError unheard = new CompletionError();

    public UcResponder(
            Tpt tpt, ContextMemory contexts, Completer completer, EventRaiser events, ReceiveWqeFetch receives) {
        this.tpt = tpt;
        this.contexts = contexts;
        this.completer = completer;
        this.events = events;
        this.receives = receives;
        this.place = new SgList(contexts.memory());
    }

    /** After an admission: where the bytes go. */
    public SgList place() {
        return place;
    }

    /** Checks a message of the peer, or the next chunk or packet of one; false if it is dropped. */
    public boolean admit(Qp qp, Message message) {
        if (qp.state() == QpState.RTR && qp.establish()) {
            events.raise(qp.events(), AsyncEvent.Type.COMM_EST);
        }
        if (message.isWrite() && !qp.grants(Access.REMOTE_WRITE)) {
            return drop();
        }
        if (message.takesReceive() && !take(qp, message)) {
            return drop();
        }
        if (message.isSend()) {
            return !message.invalidates() || window(qp, message) != null || drop();
        }
        return reach(qp, message) || drop();
    }

    /** Whose keys the last message that was dropped has missed, once; null if it was not that. */
    @Nullable
    Qp takeMissed() {
        Qp qp = missed;
        missed = null;
        return qp;
    }

    /** After the last byte: ends a window, completes a receive and counts. */
    public void finish(Qp qp, Message message) {
        if (message.invalidates()) {
            Window window = window(qp, message);
            if (window == null) {
                throw new IllegalStateException("invalidation was not admitted");
            }
            tpt.windows().unbind(window);
        }
        contexts.countTraffic(message.isSend() ? Counter.RX_SEND_REQUESTS : Counter.RX_WRITE_REQUESTS, 1);
        if (message.takesReceive()) {
            // Without room in the CQ the queue pair is in ERR: no answer says so.
            boolean _ = completer.receiveDone(qp, message);
        } else {
            qp.context().received(qp, message.lengthBytes);
        }
    }

    private boolean take(Qp qp, Message message) {
        ReceiveWqeFetch.Outcome outcome = receives.take(qp);
        if (outcome == ReceiveWqeFetch.Outcome.NO_RECEIVE) {
            qp.context().count(Counter.OUT_OF_BUFFER);
            return false;
        }
        if (outcome == ReceiveWqeFetch.Outcome.TAKEN && message.isSend()) {
            outcome = receives.place(qp, message.lengthBytes, place);
        }
        return outcome == ReceiveWqeFetch.Outcome.TAKEN;
    }

    private @Nullable Window window(Qp qp, Message message) {
        return tpt.windows().invalidatable(qp.pd(), qp.qpn(), message.immediate, unheard);
    }

    private boolean reach(Qp qp, Message message) {
        place.clear();
        // A zero-length RDMA needs no valid rkey (IBA C9-88), so the key is not even looked up.
        if (message.lengthBytes == 0) {
            return true;
        }
        Region region = tpt.remote(
                qp.pd(),
                qp.qpn(),
                message.rkey,
                message.remoteAddress,
                message.lengthBytes,
                Access.REMOTE_WRITE.bit(),
                unheard);
        if (region == null) {
            qp.context().count(Counter.RESP_REMOTE_ACCESS_ERRORS);
            missed = qp;
            return false;
        }
        place.add(region, message.remoteAddress, message.lengthBytes);
        return true;
    }

    private boolean drop() {
        contexts.count(Counter.RX_DROPPED_MESSAGES);
        return false;
    }
}
