package io.hyperverbs.backend.management;

import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;

/** How far a connection is; each step takes the events of the one before. */
enum CmStep {
    RESOLVED,
    CALLED,
    REQUEST_READ,
    ACCEPTED,
    CONNECTED,
    /** The caller disconnects, and the callee knows. */
    DISCONNECTING,
    DISCONNECTED;

    /** Handles of both ends; 0 for one that nobody knows yet. */
    record Ends(long out, long in) {}

    /** Leads a new connection to this step; {@code callee} listens already. */
    Ends reach(CmEnd caller, CmEnd callee) {
        long out = caller.resolve(callee);
        if (compareTo(CALLED) >= 0) {
            caller.done(caller.connect(out));
        }
        long in = compareTo(REQUEST_READ) >= 0 ? callee.called() : 0;
        if (compareTo(ACCEPTED) >= 0) {
            callee.done(callee.accept(in));
            var _ = caller.next(CmEvent.Type.CONNECT_RESPONSE);
        }
        if (compareTo(CONNECTED) >= 0) {
            caller.done(CmEnd.answer(out, Kind.RTU));
            var _ = callee.next(CmEvent.Type.ESTABLISHED);
        }
        if (compareTo(DISCONNECTING) >= 0) {
            caller.done(CmEnd.answer(out, Kind.DISCONNECT));
            var _ = callee.next(CmEvent.Type.DISCONNECTED);
        }
        if (compareTo(DISCONNECTED) >= 0) {
            callee.done(CmEnd.answer(in, Kind.DISCONNECT));
            var _ = caller.next(CmEvent.Type.DISCONNECTED);
        }
        return new Ends(out, in);
    }
}
