package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The control path of a native domain: the same session and executor, no channel between. Any
 * thread; its event sink is called on the relay's thread.
 */
public final class DirectControlPath implements ControlPath {
    private final Session session;
    private final RequestExecutor executor;
    private final ReentrantLock calling = new ReentrantLock();
    private long lastRequestId;
    private volatile boolean closed;

    public DirectControlPath(Session session, RequestExecutor executor) {
        this.session = session;
        this.executor = executor;
    }

    @Override
    public ControlReply call(ControlRequest request) {
        if (closed) {
            return new ControlReply.Refused(VerbsStatus.EIO, "the control path is closed");
        }
        // One step: a thread that stood still between its number and its verb would come back with
        // a number that the reply window no longer covers.
        calling.lock();
        try {
            return executor.execute(session, ++lastRequestId, request);
        } finally {
            calling.unlock();
        }
    }

    @Override
    public void subscribe(EventSink sink) {
        session.events().subscribe(sink, () -> !closed);
    }

    /** Ends calls and events; what the session has stays until its domain is removed. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            session.events().close("the control path is closed");
        }
    }
}
